import { carriesChecksum, sameAddress, withChecksum } from '../../../nodes/shared/address.ts';
import { CHECKSUMMED } from './eip55.mts';

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
