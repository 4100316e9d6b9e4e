import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { adviceOf, tellFailure } from '../../../../nodes/CardTreasury/batch/outcome.ts';
import type { Host } from '../../../../nodes/CardTreasury/n8n/host.ts';
import { errorOf, failedItem } from '../../../../nodes/CardTreasury/n8n/render.ts';
import type { RequestFailure } from '../../../../nodes/CardTreasury/request/errors.ts';
import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';

const host = (node: object = {}, isTool = false): Host =>
	({ node: { name: 'Pay', type: 'a.cardTreasury', typeVersion: 1, ...node }, isTool }) as Host;

const INVALID = new InvalidFieldError('Amount', 'is empty', 'Enter an amount.');
const BARE: RequestFailure = {
	kind: 'request failure',
	message: 'The service could not be reached',
	fix: 'Try again.',
	traceId: null,
	outcome: 'not_sent',
};
const FULL: RequestFailure = {
	...BARE,
	status: 409,
	code: 'USED',
	traceId: 'trace-1',
	idempotencyKey: 'key-1',
	outcome: 'rejected',
};

it("bad input is an operation error with the item's outcome", () => {
	const error = errorOf(host(), INVALID, 3, 'accepted');
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error.message).toBe(INVALID.message);
	expect(error.description).toBe(adviceOf(INVALID, 'accepted'));
	expect(error.description).toContain('was accepted, and it is not sent again');
	expect(error.context.itemIndex).toBe(3);
});

it('a failed request is an API error with its facts in one line', () => {
	const error = errorOf(host(), FULL, 1, 'rejected') as NodeApiError;
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error.message).toBe(FULL.message);
	expect(error.description).toBe(
		'Try again.\nCode: USED · HTTP status: 409 · Trace ID: trace-1 · Idempotency key: key-1',
	);
	expect(error.httpCode).toBe('409');
	expect(error.context.itemIndex).toBe(1);
	expect(error.errorResponse).toEqual({
		service_code: 'USED',
		http_status: 409,
		trace_id: 'trace-1',
	});
});

it.each([
	['a request that got no answer', { ...BARE, code: 'ECONNRESET', outcome: 'unknown' as const }],
	['bad input', new InvalidFieldError('This node', 'could not run: ENOENT', 'Check it.')],
])('n8n does not replace the message that an agent gets for %s', (_name, failure) => {
	const tool = host({ type: 'a.cardTreasuryTool' }, true);
	const { message } = errorOf(tool, failure, 0, 'unknown');
	expect(message).toContain(`Outcome unknown. ${failure.message}. ${failure.fix}`);
	expect(message).not.toContain('ECONNRESET');
	expect(failedItem(tool, failure, 0, 'unknown').json.error).toBe(message);
});

it('the transaction hash in a failed reply is shown, in its field if the item has one', () => {
	const failure = { ...FULL, transactionHash: '0x1' };
	expect(errorOf(host(), failure, 0, 'unknown').description).toContain('Transaction hash: 0x1');
	const itemWith = (fields: object) =>
		failedItem(host(), failure, 0, 'unknown', {
			...tellFailure(failure, 'unknown'),
			fields: { ...fields },
		}).json;
	expect(itemWith({}).description).toContain('Transaction hash: 0x1');
	const item = itemWith({ transaction_hash: null });
	expect(item.transaction_hash).toBe('0x1');
	expect(item.description).not.toContain('0x1');
	expect(itemWith({ transaction_hash: '0x2' }).transaction_hash).toBe('0x2');
});

it('the message for an agent contains everything', () => {
	const tool = host({ type: 'a.cardTreasuryTool' }, true);
	expect(errorOf(tool, FULL, 0, 'rejected').message).toContain('USED');
	expect(errorOf(tool, INVALID, 0, 'not_sent').message).toBe(
		`${INVALID.message}. Enter an amount. Nothing was sent.`,
	);
});

it('a failed item under Continue On Fail begins with its outcome and has a field for each fact', () => {
	const told = { ...tellFailure(FULL, 'rejected'), fields: { amount: '5', idempotency_key: null } };
	const item = failedItem(host(), FULL, 2, 'rejected', told);
	expect(item).toEqual({
		json: {
			outcome: 'rejected',
			summary: 'Rejected: The service could not be reached. Try again.',
			amount: '5',
			error: FULL.message,
			description: 'Try again.',
			code: 'USED',
			http_status: 409,
			idempotency_key: 'key-1',
			trace_id: 'trace-1',
		},
		pairedItem: { item: 2 },
	});
	expect(Object.keys(item.json).slice(0, 2)).toEqual(['outcome', 'summary']);
	expect(failedItem(host(), BARE, 0, 'not_sent').json).toEqual({
		outcome: 'not_sent',
		summary: 'Not sent: The service could not be reached. Try again.',
		error: BARE.message,
		description: 'Try again.',
		code: null,
		http_status: null,
		trace_id: null,
	});
});

it('an outcome that the fields bring along does not replace the outcome of the item', () => {
	const told = { ...tellFailure(FULL, 'failed'), fields: { outcome: 'pending', summary: 'x' } };
	expect(failedItem(host(), FULL, 0, 'failed', told).json).toMatchObject({
		outcome: 'failed',
		summary: expect.stringMatching(/^Failed: /),
	});
});

it('only the error output gets the error, as a property that n8n does not copy', () => {
	const error = (item: object) => Object.getOwnPropertyDescriptor(item, 'error');
	expect(error(failedItem(host(), INVALID, 0, 'not_sent'))).toBeUndefined();
	const routed = failedItem(host({ onError: 'continueErrorOutput' }), INVALID, 0, 'not_sent');
	expect(error(routed)).toMatchObject({ enumerable: false, value: { message: INVALID.message } });
});
