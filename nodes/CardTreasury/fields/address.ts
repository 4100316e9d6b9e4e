/** Wallet addresses. The letter case of a hexadecimal address holds a checksum (EIP-55). */

import { keccak256 } from './keccak256';
import type { Reason } from './values';

const COPY = 'Copy it again from its source.';

export const isAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text);

export const NO_ADDRESS: Reason = ['is not 0x followed by 40 hexadecimal digits', COPY];

/** Addresses that nobody holds: zero, burned, the placeholder of native coins, and precompiled contracts. */
const UNHELD = /^0x(?:0{38}[0-9a-f]{2}|0{36}dead|e{40})$/i;

export const isHeld = (address: string): boolean => !UNHELD.test(address);

/** Reason why an address cannot be used. Undefined for one that somebody may hold. */
export function againstAddress(text: string): Reason | undefined {
	if (!isAddress(text)) return NO_ADDRESS;
	if (!isHeld(text)) return ['is an address that nobody holds', COPY];
	return contradictsChecksum(text)
		? ['does not match its checksum (EIP-55): a character is wrong', COPY]
		: undefined;
}

/** One spelling per address, because letter case is only its checksum. */
export const canonicalAddress = (address: string): string => address.toLowerCase();

/** Digits in one letter case carry no checksum. */
function contradictsChecksum(address: string): boolean {
	const digits = address.slice(2);
	const lower = digits.toLowerCase();
	if (digits === lower || digits === digits.toUpperCase()) return false;
	if (matching.has(address)) return false;
	const hash = keccak256(Buffer.from(lower)).toString('hex');
	const cased = [...lower].map((digit, at) =>
		parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
	);
	if (cased.join('') !== digits) return true;
	if (matching.size >= MOST_REMEMBERED) matching.clear();
	matching.add(address);
	return false;
}

/** Addresses that match their checksum. Remembered, because hashing a list of recipients for each item takes seconds. */
const matching = new Set<string>();
const MOST_REMEMBERED = 10_000;
