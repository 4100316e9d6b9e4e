import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { IExecuteFunctions } from 'n8n-workflow';

import { image, requestOf, transferOf } from '../harness/fixtures.mts';
import { listen } from '../simulator/listen.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { overriding, type CoreOptions } from './core.mts';
import {
	body,
	goesOn,
	itemsOf,
	jsonOf,
	outcomes,
	run,
	sampleOf,
	threeTries,
	type Parameters,
} from './payments.mts';

/** Writes that the service would execute again, and that no key names. */
useSimulator({ requestsPerSecond: 0 });

const SUBMITTED = sampleOf('productRequest: submitDocument');
const write = requestOf(body('1'));
const each = requestOf(`=${body('{{ $json.amount }}')}`);
/** Body that differs each time. */
const stamped = requestOf(`=${body('{{ 1 + ($now.toMillis() % 100000) }}')}`);
const ANOTHER = 'This execution has sent another request for this item, which was accepted';
const OPEN =
	'May have been sent: This execution has sent a request for this item, and it may have been executed';
const CHANGED =
	'May have been sent: This execution was interrupted or edited after it had sent requests';

it('what was accepted is sent once under Retry On Fail, which n8n also does for an item that continued as failed', async () => {
	simulator.faults.add({ kind: 'status', status: 412 });
	const node = { ...threeTries, ...goesOn.node };
	const ended = await run(each, { items: itemsOf('1', '2'), node });
	expect(outcomes(ended)).toEqual(['done', 'done']);
	expect(amounts().sort()).toEqual(['1', '2']);
});

it('a Retry gives the output of what was accepted, and sends what was rejected', async () => {
	const first = await run(each, { items: itemsOf('1', '-2') });
	const [before] = jsonOf(await run(requestOf(body('3'))));
	const edited = requestOf(`=${body('{{ $json.amount === "1" ? 1 : 7 }}')}`);
	const retried = await run(edited, { retryOf: first });
	const done = { outcome: 'done' };
	expect(jsonOf(retried)).toMatchObject([{ ...done, status: 'SUCCESS' }, done]);
	expect(Object.keys(jsonOf(retried)[0]!)).toEqual(Object.keys(before!));
	expect(amounts()).toEqual(['1', '3', '7']);
});

it.each<[name: string, edited: Parameters]>([
	['body', requestOf(body('7'))],
	['path', { ...each, path: `${each.path}/unknown` }],
	['query', { ...each, queryParameters: { parameter: [{ name: 'a', value: '1' }] } }],
])(
	'a Retry with another %s does not show it as sent, and sends the rejected item',
	async (_name, edited) => {
		const first = await run(each, { items: itemsOf('1', '-2') });
		const [one, two] = jsonOf(await run(edited, { ...goesOn, retryOf: first }));
		expect(one).toMatchObject({ outcome: 'not_sent', error: ANOTHER });
		expect(one!.description).toContain(`The first attempt: POST ${each.path}.`);
		expect(two!.error).not.toBe(ANOTHER);
		expect(simulator.requests).toHaveLength(3);
	},
);

it('a Retry gives the file of a reply again', async () => {
	const server = createServer((request, response) => {
		void text(request).then((sent) => {
			response.writeHead(sent === body('1') ? 200 : 400, { 'content-type': 'application/pdf' });
			response.end('%PDF-1.7');
		});
	});
	const { url: baseUrl, close } = await listen(server);
	const first = await run(each, { baseUrl, items: itemsOf('1', '2') });
	const retried = await run(each, { baseUrl, ...goesOn, retryOf: first });
	await close();
	expect(retried.outputs[0]).toMatchObject([
		{ json: { outcome: 'done' }, binary: { data: { mimeType: 'application/pdf' } } },
		{ json: { outcome: 'rejected' } },
	]);
});

it.each<[string, Parameters, CoreOptions['items']?]>([
	['a request', write],
	['a request whose body differs each time', stamped],
	['a document', SUBMITTED, [{ json: {}, binary: { data: image() } }]],
])('%s that may have been executed is not sent again in its execution', async (...row) => {
	const [, of, items] = row;
	simulator.faults.add({ kind: 'status', status: 503, effect: true });
	const first = await run(of, { items, node: threeTries });
	expect(first.error?.message).toBe(OPEN);
	// The reason of the first attempt.
	expect(first.error?.description).toContain('HTTP 503');
	const again = await run(of, { items, ...goesOn, retryOf: first });
	expect(jsonOf(again)).toMatchObject([{ outcome: 'unknown', error: OPEN }]);
	const killed = await run(of, { items, ...goesOn, crashed: first });
	expect(jsonOf(killed)).toMatchObject([{ outcome: 'unknown', error: CHANGED }]);
	expect(simulator.requests).toHaveLength(1);
	expect(outcomes(await run(of, { items, ...goesOn }))).not.toEqual(['unknown']);
});

it('the Retry of an edited request that may have been executed names what was sent', async () => {
	simulator.faults.add({ kind: 'status', status: 503, effect: true });
	const first = await run(write);
	const [one] = jsonOf(await run({ ...write, path: '/other' }, { ...goesOn, retryOf: first }));
	expect(one!.summary).toMatch(`May have been sent: POST ${write.path}.`);
});

it('each item and each iteration of a loop sends its own', async () => {
	const looped = await run(write, { items: itemsOf('1', '1'), rounds: 2 });
	expect(outcomes(looped)).toEqual(['done', 'done']);
	expect(amounts()).toHaveLength(4);
});

const withoutStart = (n8n: IExecuteFunctions) =>
	overriding(n8n, { getExecutionContext: () => undefined });

it.each<[string, Partial<CoreOptions>]>([
	['an ID, as behind the MCP Server Trigger', { executionId: null }],
	['a start, as on Engine 2.0', { wrap: withoutStart }],
])('an execution without %s sends nothing that must not be repeated', async (_name, more) => {
	const document = { items: [{ json: {}, binary: { data: image() } }] };
	for (const parameters of [write, transferOf('1'), SUBMITTED])
		expect(jsonOf(await run(parameters, { ...document, ...goesOn, ...more }))).toMatchObject([
			{ outcome: 'not_sent', error: 'This execution keeps no record of what it has sent' },
		]);
	expect(simulator.requests).toEqual([]);
});
