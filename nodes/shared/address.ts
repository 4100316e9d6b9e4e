/** Wallet addresses. The letter case of a hexadecimal address holds a checksum (EIP-55). */

import { keccak256 } from './keccak256';

const HEXADECIMAL = /^(?:0x)?[0-9a-fA-F]{40}$/;
/** True for forty hexadecimal digits, with or without `0x`. */
export function isHexadecimal(address: string): boolean {
	return HEXADECIMAL.test(address);
}

/** True if the letter case matches the checksum. An address of digits alone carries no checksum. */
export function carriesChecksum(address: string): boolean {
	return isHexadecimal(address) && /[a-f]/i.test(digitsOf(address)) && isInChecksumCase(address);
}

/**
 * True if the letter case contradicts the checksum, so that a character must be wrong. Digits in one case carry no
 * checksum.
 */
export function contradictsChecksum(address: string): boolean {
	const digits = digitsOf(address);
	const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
	return isHexadecimal(address) && isMixed && !isInChecksumCase(address);
}

/** Returns one spelling per address. Letter case is ignored in a hexadecimal address, and kept in any other. */
export function canonicalAddress(address: string): string {
	return isHexadecimal(address) ? `0x${digitsOf(address).toLowerCase()}` : address;
}

export function sameAddress(left: string, right: string): boolean {
	return canonicalAddress(left) === canonicalAddress(right);
}

/** Returns a hexadecimal address in the letter case of its checksum. */
export function withChecksum(address: string): string {
	const digits = digitsOf(address).toLowerCase();
	const known = checksums.get(digits);
	if (known !== undefined) return known;
	const hash = keccak256(Buffer.from(digits)).toString('hex');
	const cased = [...digits].map((digit, at) =>
		parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
	);
	const checksummed = `0x${cased.join('')}`;
	if (checksums.size >= MOST_CHECKSUMS) checksums.clear();
	checksums.set(digits, checksummed);
	return checksummed;
}

/** Checksum form of each address, cached because addresses are checked several times and hashing is slow. */
const checksums = new Map<string, string>();
const MOST_CHECKSUMS = 10_000;

/** Both ends of an address or hash. Other texts may hold characters of two code units, which are not cut in half. */
export function shortAddress(text: string): string {
	const characters = [...text];
	const ends = [characters.slice(0, 6), characters.slice(-4)].map((end) => end.join(''));
	return characters.length > 13 ? ends.join('…') : text;
}

/** Address that stands for nobody. Some services write it for the native coin. */
export const ZERO = `0x${'0'.repeat(40)}`;

/** Placeholder that some services write for the native coin. */
export const NATIVE_PLACEHOLDER = `0x${'e'.repeat(40)}`;

const digitsOf = (address: string) => address.slice(-40);

const isInChecksumCase = (address: string) => withChecksum(address).endsWith(digitsOf(address));
