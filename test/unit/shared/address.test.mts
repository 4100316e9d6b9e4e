import { createHash } from 'node:crypto';

import {
	carriesChecksum,
	keccak256,
	sameAddress,
	withChecksum,
} from '../../../nodes/shared/address.ts';
import { CHECKSUMMED } from './eip55.mts';

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

	it('differs from SHA3-256, which pads differently', () => {
		expect(keccak256(Buffer.from('abc'))).not.toEqual(
			createHash('sha3-256').update('abc').digest(),
		);
	});
});

it.each(CHECKSUMMED)('withChecksum returns %s', (address) => {
	expect(withChecksum(address.toLowerCase())).toBe(address);
});

it.each([
	...CHECKSUMMED.map((address): [string, boolean] => [address, true]),
	[CHECKSUMMED[4]!.slice(2), true],
	[CHECKSUMMED[4]!.toLowerCase(), false],
	['0x52908400098527886E0F7030069857D2E4169EE8', false],
	[`0x${'1'.repeat(40)}`, false],
	['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', false],
])('carriesChecksum of %s is %s', (address, carries) => {
	expect(carriesChecksum(address)).toBe(carries);
});

it('sameAddress ignores case in hexadecimal addresses only', () => {
	const [, , , , address = ''] = CHECKSUMMED;
	expect(sameAddress(address, address.toLowerCase())).toBe(true);
	expect(sameAddress(address, CHECKSUMMED[5]!)).toBe(false);
	expect(sameAddress(address, address.toUpperCase())).toBe(false);
	expect(sameAddress(address, address.slice(2).toLowerCase())).toBe(true);
	expect(sameAddress('TJRab', 'TJRab')).toBe(true);
	expect(sameAddress('TJRab', 'tjrab')).toBe(false);
	expect(sameAddress(`${address}0`, `${address.toLowerCase()}0`)).toBe(false);
});
