import { createHash } from 'node:crypto';

import fc from 'fast-check';

import {
	carriesChecksum,
	checkAddress,
	keccak256,
	sameAddress,
	withChecksum,
} from '../../../nodes/service/address.ts';

/** The test vectors of EIP-55. */
const CHECKSUMMED = [
	'0x52908400098527886E0F7030069857D2E4169EE7',
	'0x8617E340B3D01FA5F11F306F4090FD50E238070D',
	'0xde709f2102306220921060314715629080e2fb77',
	'0x27b1fdb04752bbc536007a920d24acb045561c26',
	'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	'0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	'0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
	'0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe('Keccak-256', () => {
	it.each([
		['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
		['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
		[
			'The quick brown fox jumps over the lazy dog',
			'4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15',
		],
	])('of %j is as published', (text, hash) => {
		expect(keccak256(Buffer.from(text)).toString('hex')).toBe(hash);
	});

	it('is not SHA3-256, which pads differently', () => {
		expect(keccak256(Buffer.from('abc'))).not.toEqual(
			createHash('sha3-256').update('abc').digest(),
		);
	});
});

describe('an address', () => {
	it.each(CHECKSUMMED)('%s matches its checksum', (address) => {
		expect(withChecksum(address.toLowerCase())).toBe(address);
		expect(checkAddress(address)).toBeUndefined();
	});

	it.each([
		...CHECKSUMMED.map((address) => address.toLowerCase()),
		`0x${CHECKSUMMED[4]!.slice(2).toUpperCase()}`,
		'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
		'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
		'T0x52908400098527886E0F7030069857D2E4169EE7',
	])('%s has no checksum to match, or another form', (address) => {
		expect(checkAddress(address)).toBeUndefined();
	});

	it.each([
		['0x1234', 'must be 0x followed by 40 hexadecimal digits'],
		[`0x${'1'.repeat(41)}`, 'must be 0x followed by 40 hexadecimal digits'],
		[`0x${'g'.repeat(40)}`, 'must be 0x followed by 40 hexadecimal digits'],
		[`0x0x${'1'.repeat(40)}`, 'must be 0x followed by 40 hexadecimal digits'],
		[`0X${'1'.repeat(40)}`, 'must be 0x followed by 40 hexadecimal digits'],
		[`0x${'0'.repeat(40)}`, 'is the zero address'],
		[
			'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
			'does not match its checksum (EIP-55): a character is wrong',
		],
		[`0x${'1'.repeat(40)} `, 'contains a space or an invisible character'],
		[`0x${'0'.repeat(36)}dEaD`, 'is a burn address: what is sent there is lost'],
		['0'.repeat(40), 'is the zero address'],
		[
			'5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
			'does not match its checksum (EIP-55): a character is wrong',
		],
		['T R', 'contains a space or an invisible character'],
		['T\u200bR', 'contains a space or an invisible character'],
		['T\u0001R', 'contains a space or an invisible character'],
	])('%j %s', (address, reason) => {
		expect(checkAddress(address)).toBe(reason);
	});

	it('in mixed case with one letter changed is refused', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...CHECKSUMMED.slice(4)),
				fc.integer({ min: 2, max: 41 }),
				(address, at) => {
					const letter = address.charAt(at);
					const other = /[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase();
					if (other === letter) return;
					expect(checkAddress(address.slice(0, at) + other + address.slice(at + 1))).toMatch(
						/checksum/,
					);
				},
			),
		);
	});
});

it.each([
	...CHECKSUMMED.map((address): [string, boolean] => [address, true]),
	[CHECKSUMMED[4]!.slice(2), true],
	[CHECKSUMMED[4]!.toLowerCase(), false],
	['0x52908400098527886E0F7030069857D2E4169EE8', false],
	[`0x${'1'.repeat(40)}`, false],
	['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', false],
])('whether %s carries a checksum: %s', (address, carries) => {
	expect(carriesChecksum(address)).toBe(carries);
});

it('compares hexadecimal addresses case-insensitively, others exactly', () => {
	const [, , , , address = ''] = CHECKSUMMED;
	expect(sameAddress(address, address.toLowerCase())).toBe(true);
	expect(sameAddress(address, CHECKSUMMED[5]!)).toBe(false);
	expect(sameAddress(address, address.toUpperCase())).toBe(false);
	expect(sameAddress(address, address.slice(2).toLowerCase())).toBe(true);
	expect(sameAddress('TJRab', 'TJRab')).toBe(true);
	expect(sameAddress('TJRab', 'tjrab')).toBe(false);
	expect(sameAddress(`${address}0`, `${address.toLowerCase()}0`)).toBe(false);
});
