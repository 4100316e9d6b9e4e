import { createServer, type AddressInfo } from 'node:net';
import { ExpressionError, OperationalError } from 'n8n-workflow';

import { cardOf, requestOf } from '../harness/fixtures.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import type { CoreOptions } from './core.mts';
import { body, jsonOf, run, transfer } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const on = { node: { onError: 'continueRegularOutput' } } as const;
const payment = { ...transfer, paymentReference: 'INV-1' };

// With `binaryMode: combined`, the expression engine of n8n 2.41 throws this for the expression of a credential.
const unauthenticated = new ExpressionError("Node 'Card Treasury' hasn't been executed");
const WRITES: Array<[string, CoreOptions['parameters']]> = [
	['transfer', payment],
	['request of any endpoint', requestOf(body('1'))],
	['freezing of a card', cardOf('freeze')],
];

it.each(WRITES)(
	'a %s is not sent if n8n cannot evaluate the credential, and may be sent later',
	async (_, parameters) => {
		const failed = await run(parameters, { ...on, unauthenticated });
		expect(jsonOf(failed)).toMatchObject([
			{ outcome: 'not_sent', error: expect.stringContaining('n8n could not add the API key') },
		]);
		expect(simulator.requests).toHaveLength(0);
		expect(simulator.ledger).toHaveLength(0);
		expect(jsonOf(await run(parameters))).toMatchObject([{ outcome: 'done' }]);
		expect(simulator.ledger).toHaveLength(1);
	},
);

it('a refused connection is not sent', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	const refused = await run(
		{ ...payment, options: { maxAttempts: 1 } },
		{ ...on, baseUrl: `http://127.0.0.1:${port}` },
	);
	expect(jsonOf(refused)).toMatchObject([{ outcome: 'not_sent', code: 'ECONNREFUSED' }]);
});

it.each(WRITES.slice(1))(
	'the outcome of a %s is unknown after another error of n8n, which may come from the connection',
	async (_, parameters) => {
		const failed = await run(parameters, {
			...on,
			unauthenticated: new OperationalError('broken'),
		});
		expect(jsonOf(failed)).toMatchObject([{ outcome: 'unknown' }]);
	},
);
