import { refused, withOptions } from './guarded.mts';
import { workOf } from './reading.mts';

const workWith = async (options: Record<string, unknown>) =>
	await workOf('wallet: transfer', withOptions(options));
const refusalOf = async (options: Record<string, unknown>) =>
	(await refused(withOptions(options)))[0];

describe('retry policy', () => {
	it.each([
		['wallet: transfer', 30_000],
		['card: get', 15_000],
		['cardTransaction: downloadStatement', 60_000],
	])('the policy has defaults for %s', async (name, timeoutMs) => {
		for (const options of [{}, { maxAttempts: null, maxTotalSeconds: undefined }]) {
			const { parameters } = withOptions(options);
			const { policy } = await workOf(name, { parameters: { ...parameters, cardId: 'c' } });
			expect(policy).toEqual({
				maxAttempts: 5,
				maxTotalMs: 120_000,
				requestsPerSecond: 15,
				timeoutMs,
			});
		}
	});

	it('the policy follows from options in seconds, and from expressions that return text', async () => {
		const { policy } = await workWith({
			maxAttempts: 1.5,
			maxTotalSeconds: '60',
			requestsPerSecond: 0.5,
			timeoutSeconds: 2.5,
		});
		expect(policy).toEqual({
			maxAttempts: 2,
			maxTotalMs: 60_000,
			requestsPerSecond: 0.5,
			timeoutMs: 2_500,
		});
	});

	it.each([
		['maxAttempts', 'Maximum Attempts', 20],
		['maxTotalSeconds', 'Maximum Total Time (Seconds)', 3_600],
		['requestsPerSecond', 'Requests per Second', 15],
		['timeoutSeconds', 'Timeout per Attempt (Seconds)', 300],
	])('the policy rejects a %s that is 0, too high or not a number', async (name, label, max) => {
		expect(await workWith({ [name]: max })).toBeDefined();
		for (const value of [0, -1, max + 0.1, 'many', '', '0x10', '1e1', true]) {
			expect(await refusalOf({ [name]: value })).toBe(
				`${label} must be more than 0 and at most ${max}`,
			);
		}
	});
});

describe('Dry Run', () => {
	it('Dry Run is on only if it is set', async () => {
		expect((await workWith({})).dryRun).toBe(false);
		expect((await workWith({ dryRun: false })).dryRun).toBe(false);
		expect((await workWith({ dryRun: true })).dryRun).toBe(true);
	});

	it.each([undefined, null, '', 'true', 'false', 0, 1])(
		'Dry Run is refused if its expression returns %p',
		async (dryRun) => {
			expect(await refusalOf({ dryRun })).toBe('Dry Run is neither true nor false');
		},
	);
});
