import {
	interceptAnswer,
	whenAnswered,
	writeReply,
	type DeliveryResponse,
} from '../../../../nodes/CardTreasuryTrigger/n8n/response.ts';
import { decisionAnswer } from '../../../../nodes/shared/authorizationAnswer.ts';
import { post } from '../../../harness/deliveries/post.mts';
import { answerWith } from './expressLike.mts';

type Listening = Awaited<ReturnType<typeof answerWith>>;
let listening: Listening[] = [];

// Also after a test that failed: an open port would keep the process.
afterEach(async () => {
	await Promise.all(listening.map(async ({ close }) => await close()));
	listening = [];
});

async function listen(...handle: Parameters<typeof answerWith>): Promise<Listening> {
	const server = await answerWith(...handle);
	listening.push(server);
	return server;
}

describe('writeReply', () => {
	it('a reply is sent with its status and as JSON', async () => {
		const { url } = await listen(async (_, response) => {
			const n8nResponse = response as unknown as DeliveryResponse;
			writeReply(n8nResponse, { status: 200, body: { response_code: '00' } });
		});
		const answer = await fetch(url, { method: 'POST' });
		expect(answer.status).toBe(200);
		expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
		expect(await answer.json()).toEqual({ response_code: '00' });
	});
});

describe('interceptAnswer', () => {
	it('the interceptor waits for the answer if n8n ends the response before writing it', async () => {
		const { url } = await listen(async (_, response) => {
			const { body, headers } = decisionAnswer('00');
			const n8nResponse = response as unknown as DeliveryResponse;
			const bypass = interceptAnswer(n8nResponse, (code) =>
				bypass(() => writeReply(n8nResponse, { status: 200, body: { decided: code } })),
			);
			response.end();
			response.set(headers);
			response.json(body);
			response.status(500).json({ message: 'late' });
		});
		expect(await post(url, {})).toMatchObject({ status: 200, json: { decided: '00' } });
	});

	const MARK = 'X-Card-Treasury-Decision';
	type Write = (response: DeliveryResponse) => unknown;
	it.each<[string, string | undefined, Write]>([
		['set, one name', '00', (response) => response.set(MARK, '1')],
		['header', '00', (response) => response.header(MARK, '1')],
		['setHeader', '00', (response) => response.setHeader(MARK, '1')],
		['setHeaders, a Map', '00', (response) => response.setHeaders(new Map([[MARK, '1']]))],
		['setHeaders, Headers', '00', (response) => response.setHeaders(new Headers([[MARK, '1']]))],
		['another header', undefined, (response) => response.setHeader(`${MARK}s`, '1')],
		['no header', undefined, () => undefined],
	])('a decision is recognized by its header, set by %s: %s', async (_, expected, mark) => {
		for (const write of [
			(response: DeliveryResponse) => response.json({ response_code: '00' }),
			(response: DeliveryResponse) => response.send('{"response_code":"00"}'),
			(response: DeliveryResponse) => response.end(Buffer.from('{"response_code":"00"}')),
		] satisfies Write[]) {
			const decided = jest.fn();
			const { url } = await listen(async (_request, response) => {
				const n8nResponse = response as unknown as DeliveryResponse;
				const bypass = interceptAnswer(n8nResponse, decided);
				mark(n8nResponse);
				const isChained = write(n8nResponse) === n8nResponse;
				bypass(() => writeReply(n8nResponse, { status: 202, body: { isChained } }));
			});
			expect(await post(url, {})).toMatchObject({ status: 202, json: { isChained: true } });
			expect(decided.mock.calls).toEqual([[expected]]);
		}
	});
});

describe('whenAnswered', () => {
	it.each([
		[200, true],
		[201, false],
		[404, false],
		[500, false],
	])(
		'the status %d reports the execution as stored: %s, once, and is sent unchanged',
		async (status, stored) => {
			const tell = jest.fn();
			const { url } = await listen(async (_, response) => {
				whenAnswered(response as unknown as DeliveryResponse, tell);
				response.status(status).json({ said: true });
				response.end();
			});
			expect(await post(url, {})).toMatchObject({ status, json: { said: true } });
			expect(tell.mock.calls).toEqual([[stored]]);
		},
	);
});

describe('writeReply', () => {
	it('a response is written once', async () => {
		const { url } = await listen(async (_, response) => {
			const n8nResponse = response as unknown as DeliveryResponse;
			writeReply(n8nResponse, { status: 200, body: { first: true } });
			writeReply(n8nResponse, { status: 500, body: {} });
			writeReply(n8nResponse, 'hang up');
		});
		expect(await post(url, {})).toMatchObject({ status: 200, json: { first: true } });
	});
});
