import { respond } from '../../../../../nodes/CardTreasury/operations/authorization/respond.ts';
import { callerOf, inputOf } from '../reading.mts';

const codeOf = async (parameters: Record<string, unknown>) =>
	await respond.responseCode(inputOf({ parameters }), callerOf({ parameters }));

it.each([
	[{ decision: 'approve' }, '00'],
	[{ decision: 'decline' }, '05'],
	[{ decision: 'decline', responseCode: '00' }, '05'],
	[{ decision: 'other', responseCode: '51' }, '51'],
])('%j answers %s', async (parameters, code) => {
	expect(await codeOf(parameters)).toBe(code);
});

it.each([
	[{ decision: 'maybe' }, 'Decision cannot be "maybe"'],
	[{ decision: 'other' }, 'Response Code is empty'],
	[{ decision: 'other', responseCode: 'no code' }, 'Response Code is not a response code'],
	[{ decision: 'other', responseCode: '10' }, 'Response Code is 10, which approves'],
])('%j is refused', async (parameters, message) => {
	await expect(codeOf(parameters)).rejects.toThrow(message);
});
