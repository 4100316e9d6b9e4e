import fc from 'fast-check';

import { address } from '../../../../nodes/shared/fields/address.ts';
import { orInvalid, type InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import { id, readBaseUrl, text } from '../../../../nodes/shared/fields/text.ts';
import { CHECKSUMMED } from '../eip55.mts';
import { readingOf } from './reading.mts';

const COPY_AGAIN = 'Copy the address again from its source.';
const readAddress = (value: unknown) => readingOf(address('Recipient', ''), value);

describe('address', () => {
	it.each(CHECKSUMMED)('%s matches its checksum', (address) => {
		expect(readAddress(address)).toBe(address);
	});

	it.each([
		...CHECKSUMMED.map((address) => address.toLowerCase()),
		`0x${CHECKSUMMED[4]!.slice(2).toUpperCase()}`,
		'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
	])('%s has no checksum or another form', (address) => {
		expect(readAddress(address)).toBe(address);
	});

	it.each([
		['0x1234', 'must be 0x followed by 40 hexadecimal digits'],
		[`0x${'1'.repeat(41)}`, 'must be 0x followed by 40 hexadecimal digits'],
		[`0x0x${'1'.repeat(40)}`, 'must be 0x followed by 40 hexadecimal digits'],
		[`0x${'0'.repeat(40)}`, 'is the zero address'],
		[
			'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
			'does not match its checksum (EIP-55): a character is wrong',
		],
		[`0x${'0'.repeat(36)}dEaD`, 'is a burn address, where tokens are lost'],
		['T R', 'contains a space or a character outside ASCII'],
		['T\u200bR', 'contains a space or a character outside ASCII'],
		['TR\u3164', 'contains a space or a character outside ASCII'],
	])('the address %j %s', (address, reason) => {
		expect(readAddress(address)).toEqual([`Recipient ${reason}`, COPY_AGAIN]);
	});

	it('an address is read without the spaces around it', () => {
		expect(readAddress(` \u00a0${CHECKSUMMED[4]}\n`)).toBe(CHECKSUMMED[4]);
		expect(readAddress(' ')).toEqual(['Recipient is empty', 'Enter the Recipient.']);
	});

	const MIXED = CHECKSUMMED[4]!;

	it.each([
		['treasury.eth', 'is a name', /a name such as treasury\.eth/],
		['pay.example.com', 'is a name', /a name such as treasury\.eth/],
		[`matic:${MIXED}`, 'has a chain prefix', /after the colon/],
		['bitcoincash:qpm2', 'has a chain prefix', /after the colon/],
		[`137:${MIXED}`, 'has a chain prefix', /after the colon/],
		[`["${MIXED}"]`, 'is a list', /first entry of the list: \[0\]/],
		[`${MIXED},${MIXED}`, 'is a list', /Enter one address/],
		[`${MIXED}; ${MIXED}`, 'is a list', /Enter one address/],
		['5.2E+47', 'is a number', /make the column text/],
		['52E47', 'is a number', /make the column text/],
		['520908400098527886000007030069857020416900', 'is a number', /make the column text/],
		[5.2e47, 'is a number', /make the column text/],
		['"', 'is not a wallet address', /without other characters/],
		['Alice', 'is not a wallet address', /Enter the address itself/],
		['DE89370400440532013000', 'is not a wallet address', /Enter the address itself/],
	])('%j %s, with advice of its own', (given, reason, advice) => {
		const [said, fix] = readAddress(given);
		expect(said).toMatch(new RegExp(`^Recipient ${reason}`));
		expect(fix).toMatch(advice);
	});

	it.each([
		['0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', 'is the placeholder of the native coin'],
		['0xdEAD000000000000000042069420694206942069', 'is a burn address'],
		[`0x${'dead'.repeat(10)}`, 'is a burn address'],
		[`0x${'deadbeef'.repeat(5)}`, 'is a burn address'],
		[`0x${'0'.repeat(32)}DeaDBeef`, 'is a burn address'],
		[`0x${'0'.repeat(39)}1`, 'is a contract of the chain itself'],
		[`0x${'0'.repeat(38)}fF`, 'is a contract of the chain itself'],
		[`${'0'.repeat(38)}0a`, 'is a contract of the chain itself'],
	])('%s, which nobody holds, is refused', (given, reason) => {
		expect(readAddress(given)[0]).toMatch(new RegExp(`^Recipient ${reason}`));
	});

	it('the address after the last contract of the chain is accepted', () => {
		expect(readAddress(`0x${'0'.repeat(37)}100`)).toBe(`0x${'0'.repeat(37)}100`);
	});

	it('an address in mixed case with a changed letter is refused', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...CHECKSUMMED.slice(4)),
				fc.integer({ min: 2, max: 41 }),
				(address, at) => {
					const letter = address.charAt(at);
					const other = /[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase();
					if (other === letter) return;
					const wrong = address.slice(0, at) + other + address.slice(at + 1);
					expect(readAddress(wrong)).toEqual([expect.stringMatching(/checksum/), COPY_AGAIN]);
				},
			),
		);
	});
});

it('a value that is not a string is refused as an address', () => {
	expect(readAddress(true)).toEqual(['Recipient is not a string', COPY_AGAIN]);
	expect(readAddress('')).toEqual(['Recipient is empty', 'Enter the Recipient.']);
});

it.each([
	[' c/1 ', 'c/1', ' c/1 '],
	[51, '51', '51'],
])('%j gives the ID %j and the text %j', (value, asId, asText) => {
	expect(readingOf(id('ID', ''), value)).toBe(asId);
	expect(readingOf(text('Text'), value)).toBe(asText);
});

const EMPTY = ['is empty', 'Enter the address that the provider gave you.'] as const;
const NOT_HTTPS = [
	'must start with https:// (http:// only for this machine, e.g. http://127.0.0.1:4010)',
	'Correct it in the credential.',
] as const;
const USER = [
	'must not contain a user name or password',
	'Remove them, and enter the API key in API Key.',
] as const;
const QUERY = [
	'must not contain a query or fragment',
	'Remove everything from ? or # on.',
] as const;

it.each([
	['https://api.example.com', 'https://api.example.com'],
	['https://api.example.com/', 'https://api.example.com'],
	[' https://api.example.com/v1// ', 'https://api.example.com/v1'],
	['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
	['http://localhost:4010', 'http://localhost:4010'],
	['http://[::1]:4010', 'http://[::1]:4010'],
])('the base URL %j is used as %s', (given, url) => {
	expect(readBaseUrl(given)).toBe(url);
});

it.each([
	['', ...EMPTY],
	['api.example.com', 'is not a URL', 'Enter it in full, e.g. https://api.example.com.'],
	['http://api.example.com', ...NOT_HTTPS],
	['http://127.0.0.1.example.com', ...NOT_HTTPS],
	['ftp://127.0.0.1', ...NOT_HTTPS],
	['https://user@api.example.com', ...USER],
	['https://api.example.com/?key=1', ...QUERY],
	['https://api.example.com/#a', ...QUERY],
])('the base URL %j is refused', (given, reason, fix) => {
	const refused = orInvalid(() => readBaseUrl(given)) as InvalidFieldError;
	expect(refused.message).toMatch(/^Base URL in the credential /);
	expect([refused.reason, refused.fix]).toEqual([reason, fix]);
});
