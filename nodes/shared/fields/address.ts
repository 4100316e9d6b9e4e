import {
	canonicalAddress,
	contradictsChecksum,
	isHexadecimal,
	NATIVE_PLACEHOLDER,
	ZERO,
} from '../address';
import { required, type Field } from './field';
import { quote } from './invalidField';
import type { Problem } from './invalidField';

/** Wallet address of a recipient. Checked strictly, because a transfer on a blockchain cannot be reversed. */
export function address(label: string, description: string): Field<string> {
	const placeholder = 'e.g. 0x5aAeb6053F3E94C9…';
	return required(label, { placeholder, description }, ({ value, refuse }) => {
		if (typeof value === 'number') return refuse('is a number, not an address', NUMBER_FIX);
		if (typeof value !== 'string') return refuse('is not a string', COPY_AGAIN);
		const text = value.trim();
		if (text === '') return refuse('is empty', `Enter the ${label}.`);
		const problem = unheld(text) ?? addressProblem(text);
		return problem ? refuse(...problem) : text;
	});
}

const COPY_AGAIN = 'Copy the address again from its source.';
const NUMBER_FIX =
	'A sheet or a CSV import has made a number of it, and its digits are lost: make the column text, and enter the address again.';

/** Forms that people enter instead of an address, with advice on each. */
const OTHER_FORMS: Array<[form: RegExp, ...problem: Problem]> = [
	[/^\d+(?:[.,]\d+)?e\+?\d+$|^(?!\d{40}$)\d+$/i, 'is a number, not an address', NUMBER_FIX],
	[
		/^[[{(]|[,;|\n]/,
		'is a list or an object in a text, not one address',
		'Enter one address, for example the first entry of the list: [0].',
	],
	[/^[a-z]+:\/\//i, 'is a link, not an address', 'Enter only the address that the link has.'],
	[
		/^(?:[a-z][a-z\d-]*|\d+(?=:0x)):/i,
		'has a chain prefix',
		'Enter only the part after the colon, and check that the wallet is on that chain.',
	],
	[/\.{2,}|…/, 'is abbreviated', 'Copy the whole address from its source.'],
	[
		/^[^\s/\\"'<>@]+\.[^\s/\\"'<>@]+$/,
		'is a name, not an address',
		'Enter the address itself, as the recipient shows it: a name such as treasury.eth can change its owner.',
	],
];

/** Reason why a text cannot be an address, with the fix. Undefined for an address. */
function addressProblem(text: string): Problem | undefined {
	const [, ...form] = OTHER_FORMS.find(([pattern]) => pattern.test(text)) ?? [];
	if (form.length === 2) return form as Problem;
	if (/[^\x21-\x7e]/.test(text))
		return ['contains a space or a character outside ASCII', COPY_AGAIN];
	if (!isHexadecimal(text)) {
		if (/^0x/i.test(text)) return ['must be 0x followed by 40 hexadecimal digits', COPY_AGAIN];
		// Addresses of other chains have at least 25 characters, and are not checked further.
		return /^[0-9A-Za-z]{25,}$/.test(text)
			? undefined
			: ['is not a wallet address', 'Enter the address itself, without other characters.'];
	}
	return contradictsChecksum(text)
		? ['does not match its checksum (EIP-55): a character is wrong', COPY_AGAIN]
		: undefined;
}

/** Addresses at which tokens are destroyed on purpose. Optimism has kept a coin at the last one. */
const BURN = [
	`0x${'0'.repeat(36)}dead`,
	`0xdead${'0'.repeat(36)}`,
	'0xdead000000000000000042069420694206942069',
	`0x${'dead'.repeat(10)}`,
	`0x${'deadbeef'.repeat(5)}`,
	`0x${'0'.repeat(32)}deadbeef`,
	'0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000',
];

/**
 * Contracts of the chain itself (§2.1): from 0x…01 to 0x…ff on all chains; the system contracts of Polygon and BSC; of
 * Optimism and Base; of Avalanche, whose fees are burned at 0x01…; and the placeholder of all ones.
 */
const OF_THE_CHAIN =
	/^0x(?:0{38}[0-9a-f]{2}|0{36}(?:10[01]|200)[0-9a-f]|420{34}[0-9a-f]{4}|0[12]0{36}[0-9a-f]{2}|f{40})$/;

/** Reason why nobody holds an address. Undefined for any other address. */
function unheld(text: string): Problem | undefined {
	const canonical = canonicalAddress(text);
	if (canonical === ZERO) return ['is the zero address', COPY_AGAIN];
	if (BURN.includes(canonical)) return ['is a burn address, where tokens are lost', COPY_AGAIN];
	if (canonical === NATIVE_PLACEHOLDER)
		return ['is the placeholder of the native coin, which nobody holds', COPY_AGAIN];
	return OF_THE_CHAIN.test(canonical)
		? ['is a contract of the chain itself, which nobody holds', COPY_AGAIN]
		: undefined;
}

/** Refusal of an entry in a list of addresses. Undefined if all are addresses. */
export function listProblem(addresses: readonly string[]): Problem | undefined {
	for (const entry of addresses) {
		const problem = addressProblem(entry);
		if (problem)
			return [
				`holds ${quote(entry)}, which ${problem[0]}`,
				'Correct that entry. Separate addresses by commas, semicolons or line breaks.',
			];
	}
	return undefined;
}
