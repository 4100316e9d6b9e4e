import { otherCode, responseCodeOf } from '../../../../nodes/shared/fields/decision.ts';
import { readingOf } from './reading.mts';

const read = (value: unknown) => readingOf(otherCode('Response Code', {}), value);
const DECLINING =
	'Use Approve or Decline, or a code of 2 or 3 digits or capital letters, for example 51.';

it('Approve and Decline have their codes, whatever the other code', () => {
	expect(responseCodeOf('approve', '51')).toBe('00');
	expect(responseCodeOf('decline', '00')).toBe('05');
	expect(responseCodeOf('other', '51')).toBe('51');
	expect(responseCodeOf('other', undefined)).toBe('05');
});

it.each([' 51 ', 51])('%j is valid as another code', (code) => {
	expect(read(code)).toBe('51');
});

it.each([
	[undefined, 'Response Code is empty', DECLINING],
	['  ', 'Response Code is empty', DECLINING],
	['OK', expect.stringContaining('would be passed to the card network'), DECLINING],
	[['51'], 'Response Code is not a string', expect.stringContaining('Check the expression')],
])('%j is invalid as another code', (code, message, fix) => {
	expect(read(code)).toEqual([message, fix]);
});

it.each(['00', 'SUCCESS', 10, ' 85 '])(
	'%j is refused as another code, because it approves',
	(code) => {
		expect(read(code)).toEqual([
			`Response Code is ${String(code).trim()}, which approves`,
			'Choose Approve instead.',
		]);
	},
);
