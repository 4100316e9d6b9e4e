import { sendAll } from '../../../../nodes/CardTreasury/run/send.ts';
import type { Send } from '../../../../nodes/CardTreasury/service/client.ts';
import { operationOf } from '../../reading.mts';
import { prepared, runOf, serviceOf } from './items.mts';

/** Sends amounts of ramp transfers, such as `A 1`. Returns the requests in the order of their ends. */
async function sent(rows: string[], send: Send) {
	const operation = operationOf('rampTransfer: updateAmount');
	const values = rows.map((row) => {
		const [rampTransferId, amount] = row.split(' ');
		return { rampTransferId, amount };
	});
	const ended: string[] = [];
	const service = serviceOf(async (request, sending) => {
		const reply = await send(request, sending);
		ended.push(`${request.path.split('/').at(-1)} ${JSON.stringify(request.body)}`);
		return reply;
	});
	const run = runOf({ operation, service });
	const items = prepared(values, run);
	await sendAll(items, run);
	return { ended, outcomes: items.map(({ result }) => result?.outcome) };
}

const REPLY = {
	traceId: null,
	json: {},
	text: '',
	type: '',
	bytes: Buffer.alloc(0),
	isPending: false,
};

it('settings of one thing follow each other, and those of another one do not wait', async () => {
	const slow: Send = async ({ path, body }) => {
		// Repeated many times.
		const turns = path.endsWith('A') && JSON.stringify(body) === '{"amount":1}' ? 50 : 1;
		for (let left = turns; left > 0; left--) await Promise.resolve();
		return REPLY;
	};
	const { ended } = await sent(['A 1', 'A 2', 'B 1', 'A 3'], slow);
	expect(ended).toEqual(['B {"amount":1}', 'A {"amount":1}', 'A {"amount":2}', 'A {"amount":3}']);
});

it('a setting that fails ends the run, also for the next one of the same thing', async () => {
	const failing: Send = async () => await Promise.reject(new Error('It is broken'));
	const { outcomes } = await sent(['A 1', 'A 2'], failing);
	expect(outcomes).toEqual(['unknown', undefined]);
});
