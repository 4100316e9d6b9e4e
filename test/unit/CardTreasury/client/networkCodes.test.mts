import type { Connection } from '../../../../nodes/CardTreasury/request/connection.ts';
import { Lane } from '../../../../nodes/CardTreasury/request/lane.ts';
import { Pacer } from '../../../../nodes/CardTreasury/request/pacer.ts';
import { deliverRequest, type Traits } from '../../../../nodes/CardTreasury/request/pipeline.ts';
import { FakeClock } from './fakeClock.mts';

/** Sends a write with a key over a network that ends every try with this code. */
async function write(code: string, maxTotalMs = 120_000) {
	const clock = new FakeClock();
	const pacer = new Pacer(clock);
	let tries = 0;
	const connection: Connection = {
		baseUrl: 'http://127.0.0.1',
		clock,
		pacer,
		httpRequest: async () => {
			tries += 1;
			throw Object.assign(new Error('wrapped'), { cause: { code } });
		},
	};
	const traits: Traits = { answer: 'object', effect: 'keyed write', repetition: 'retry' };
	const effort = { maxTries: 5, maxTotalMs, requestsPerSecond: 15, timeoutMs: 1_000 };
	const lane = new Lane();
	const work = deliverRequest(
		connection,
		traits,
		{ method: 'POST', path: '/x', body: '{}' },
		effort,
		lane,
	);
	await clock.runUntil();
	const outcome = await work;
	return { tries, clock, fix: outcome.ok === false ? outcome.refusal.fix : '' };
}

it.each([
	['ECONNRESET', 5, 'not known whether'],
	['EPIPE', 5, 'not known whether'],
	['ECONNABORTED', 5, 'not known whether'],
	['HPE_INVALID_CONSTANT', 5, 'not known whether'],
	['ECONNREFUSED', 5, 'Nothing was carried out'],
	['ENOTFOUND', 5, 'Nothing was carried out'],
	['EAI_AGAIN', 5, 'Nothing was carried out'],
	['CERT_HAS_EXPIRED', 1, 'certificate'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 1, 'Nothing was carried out'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 1, 'Nothing was carried out'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 1, 'Nothing was carried out'],
	['ERR_INVALID_CHAR', 1, 'Nothing was carried out'],
	// Nobody knows what this is: reported at once, and as open.
	['something odd', 1, 'not known whether'],
])('%s: %d tries, and the message says "%s"', async (code, expected, says) => {
	const { tries, fix } = await write(code);
	expect(tries).toBe(expected);
	expect(fix).toContain(says);
});

it('begins no try after the total time', async () => {
	const { tries, clock } = await write('ECONNRESET', 2_000);
	expect(tries).toBeGreaterThan(1);
	expect(clock.now()).toBeLessThanOrEqual(2_000);
});
