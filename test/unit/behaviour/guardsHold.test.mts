import { encodeBody } from '../../../nodes/CardTreasury/request/request.ts';
import { Execution } from '../CardTreasury/batch/batches.mts';
import { RECIPIENT, SWEEP, TRANSFER } from '../CardTreasury/operations/guarded.mts';
import { operationOf } from '../CardTreasury/operations/reading.mts';

/** Options that are no guards. */
const TUNING = ['maxAttempts', 'maxTotalSeconds', 'requestsPerSecond', 'timeoutSeconds'];
const RAMP = { rampTransferId: 'r1', amount: '10' };

/** Each guard with a value and with parameters for which it changes what is sent. */
const GUARDS: Record<string, Record<string, [value: unknown, parameters: object]>> = {
	'wallet: transfer': {
		maximumTotal: ['9', TRANSFER],
		maximumTransfers: [1, TRANSFER],
		allowedRecipients: ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', TRANSFER],
		allowMissingChecksum: [true, { ...TRANSFER, to: RECIPIENT.toLowerCase() }],
		onlyInEnvironment: ['production', TRANSFER],
		sweepMinimum: ['251', SWEEP],
		sweepMaximum: ['100', SWEEP],
		dryRun: [true, TRANSFER],
	},
	'rampTransfer: updateAmount': { maximumAmount: ['9', RAMP], dryRun: [true, RAMP] },
};

/** Bodies that are sent for two items with these options. */
async function sentWith(name: string, parameters: object, options: object): Promise<string[]> {
	const execution = new Execution(name);
	const items = ['1', '2'].map((item) => ({
		parameters: {
			...parameters,
			walletId: `w${item}`,
			rampTransferId: `r${item}`,
			paymentReference: `INV-${item}`,
			options,
		},
	}));
	await execution.run(items);
	return await Promise.all(
		execution.sent.map(async ({ request: { body } }) => await encodeBody(body ?? null)),
	);
}

describe.each(Object.entries(GUARDS))('the options of %s', (name, guards) => {
	it('are guards with an example here, or tuning', () => {
		const options = Object.keys(operationOf(name).options).filter((each) => !TUNING.includes(each));
		expect(Object.keys(guards).sort()).toEqual(options.sort());
	});

	it.each(Object.entries(guards))(
		'%s changes what is sent',
		async (option, [value, parameters]) => {
			const without = await sentWith(name, parameters, {});
			expect(await sentWith(name, parameters, { [option]: value })).not.toEqual(without);
		},
	);
});
