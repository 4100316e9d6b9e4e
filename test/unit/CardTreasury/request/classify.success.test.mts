import { classify } from '../../../../nodes/CardTreasury/request/classify.ts';
import type { AnswerShape } from '../../../../nodes/CardTreasury/request/request.ts';
import type { Attempt } from '../../../../nodes/CardTreasury/request/response.ts';
import { BASE_URL, meaningOf, response, WRITE } from './classified.mts';

describe('details of a failure', () => {
	const facts = (attempt: Attempt) => {
		const classified = classify(attempt, WRITE);
		if (classified.kind === 'answered') throw new Error('It has succeeded');
		const { status, code, traceId, serviceMessage } = classified;
		return { status, code, traceId, serviceMessage };
	};

	it.each([
		[{ code: 'VAL', message: 'Wrong' }, 'VAL', 'Wrong'],
		[{ code: 17, message: '' }, '17', undefined],
		[{ code: null, message: 5 }, undefined, undefined],
		[{ message: 'x'.repeat(600) }, undefined, 'x'.repeat(500)],
		[['VAL'], undefined, undefined],
		['null', undefined, undefined],
	])('are read from %j', (body, code, serviceMessage) => {
		expect(facts(response(400, body))).toEqual({
			status: 400,
			code,
			traceId: 'trace-1',
			serviceMessage,
		});
	});

	it('have no trace ID if the header is missing', () => {
		const attempt: Attempt = {
			kind: 'response',
			status: 400,
			headers: {},
			body: Buffer.from('{}'),
		};
		expect(facts(attempt).traceId).toBeNull();
		expect(classify({ ...attempt, status: 200 }, WRITE)).toMatchObject({
			answer: { traceId: null },
		});
	});
});

describe('successful answer', () => {
	const PDF = '%PDF-1.7 %%EOF';
	const OTHER = 'Check the Base URL in the credential, or ask the provider.';

	it.each<[AnswerShape, unknown, unknown]>([
		['array', [{ id: 1 }], [{ id: 1 }]],
		['object', { id: 1 }, { id: 1 }],
		['object or nothing', '', undefined],
		['json', [1], [1]],
		['json', '', undefined],
		['anything', 'plain words', 'plain words'],
		['anything', '{"a":12345678901234567890}', { a: '12345678901234567890' }],
		['pdf', PDF, undefined],
	])('of shape "%s" accepts %j', (answer, body, json) => {
		const attempt = response(200, body);
		expect(classify(attempt, { ...WRITE, answer })).toEqual({
			kind: 'answered',
			answer: {
				status: 200,
				traceId: 'trace-1',
				json,
				bytes: attempt.kind === 'response' && attempt.body,
			},
		});
	});

	it.each<[AnswerShape, unknown, string, string]>([
		['array', {}, 'a list of objects', OTHER],
		['array', [1], 'a list of objects', OTHER],
		['object', [], 'a JSON object', OTHER],
		['object', '', 'a JSON object', OTHER],
		['object', '<html>', 'a JSON object', BASE_URL],
		['object or nothing', [], 'a JSON object', OTHER],
		['json', '<html>', 'JSON', BASE_URL],
		['anything', '<html>', 'data', BASE_URL],
		['pdf', '<html>', 'a PDF', BASE_URL],
		['pdf', {}, 'a PDF', OTHER],
	])('of shape "%s" rejects %j', (answer, body, expected, fix) => {
		expect(classify(response(201, body), { ...WRITE, answer })).toEqual({
			kind: 'failed',
			meaning: {
				again: 'never',
				outcome: 'unknown',
				message: `The service replied with HTTP 201, but not with ${expected}`,
				fix,
			},
			status: 201,
			traceId: 'trace-1',
		});
	});

	it('is recognised as a web page by its content type, too', () => {
		const page = response(200, 'Log in', { 'content-type': 'text/html' });
		expect(meaningOf(page, { answer: 'anything' }).message).toContain('but not with data');
		expect(meaningOf(response(404, 'Log in', { 'content-type': 'text/html' })).fix).toBe(
			'Check the Base URL.',
		);
	});

	it('with a PDF cut off in transit is requested again', () => {
		expect(classify(response(200, '%PDF-1.7'), { ...WRITE, answer: 'pdf' })).toEqual({
			kind: 'failed',
			meaning: {
				again: 'later',
				outcome: 'unknown',
				message: 'The PDF was cut off in transit',
				fix: 'Run it again.',
			},
			status: 200,
			traceId: 'trace-1',
		});
	});

	it.each([200, 204, 299])('is any 2xx: %d', (status) => {
		expect(classify(response(status), WRITE).kind).toBe('answered');
	});
});
