import type { RequestOperation } from '../../../../nodes/CardTreasury/operations/operation.ts';
import { isAnswered, prepare, type Common } from '../../../../nodes/CardTreasury/run/prepare.ts';
import { failed } from '../../../../nodes/CardTreasury/run/result.ts';
import { Problem } from '../../../../nodes/shared/problem.ts';
import { commonOf, itemOf, memoryOf, operationOf, prepared, transfer, valuesOf } from './items.mts';

const PAYMENT = valuesOf('5', 'INV-1');
const OF_CARD = { cardId: 'card-1' };
const POST = { method: 'POST', path: '/x', jsonBody: '{}' };
const REQUESTS: Record<string, [RequestOperation, values: object]> = {
	transfer: [transfer, PAYMENT],
	'ramp transfer': [
		operationOf('rampTransfer', 'updateAmount'),
		{ rampTransferId: 'r', amount: '1' },
	],
	write: [operationOf('endpoint', 'request'), POST],
	read: [operationOf('endpoint', 'request'), { method: 'GET', path: '/x' }],
	setting: [operationOf('card', 'freeze'), OF_CARD],
	document: [operationOf('productRequest', 'submitDocument'), { metadata: {} }],
};

const ended = (name: string, all: object[], more: Partial<Common> = {}) =>
	prepared(all, commonOf({ operation: REQUESTS[name]![0], ...more }));

/** Golden values, as in key.test.mts: they may never change. */
it('a payment is named by its reference, and has the key of its values', () => {
	expect(ended('transfer', [PAYMENT])[0]!.work).toMatchObject({
		effect: 'payment',
		key: '928710c4-abe0-56ad-9028-a4f7e3be0981',
		identity: {
			reference: 'INV-1',
			name: 'INV-1',
			fingerprint: '6aP-KhJGnN_KEQictQcHF0CZQHxRoFuwoC4xWPMVzHE',
			ref: '4BzFArYvh27TUyKYNXRyvbCjduq6edPKHh5ICQ2XCnY',
		},
	});
});

it('a write that must not be repeated is named by its place alone', () => {
	const [, , , fourth] = ended('write', Array(4).fill(POST));
	const { effect, key, identity } = fourth!.work!;
	expect(identity).toMatchObject({
		fingerprint: '',
		ref: 'fR46qkFbQ2d25jhVKA4-8y9Nf9ZlDyDb5olWyiugoGA',
	});
	expect([effect, key]).toEqual(['once', undefined]);
});

it('a setting has a random key for each item', () => {
	const keys = ended('setting', [OF_CARD, OF_CARD]).map(({ work }) => work!.key);
	expect(new Set(keys).size).toBe(2);
	expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
});

const PROBLEM = new Problem('It is gone', 'Choose it.');
const AGENT = 'An AI agent cannot move money with this node';
const COMMON: Record<string, Partial<Common>> = {
	'an agent': { isTool: true },
	'a run without a credential': { host: PROBLEM },
	'a run without a memory': { memory: PROBLEM },
};

it.each([
	['transfer', 'an agent', AGENT],
	['ramp transfer', 'an agent', AGENT],
	['write', 'an agent', AGENT],
	['read', 'an agent', undefined],
	['setting', 'an agent', undefined],
	['document', 'an agent', undefined],
	...Object.keys(REQUESTS).map((name) => [name, 'a run without a credential', 'It is gone']),
	['transfer', 'a run without a memory', 'It is gone'],
	['write', 'a run without a memory', 'It is gone'],
	['document', 'a run without a memory', 'It is gone'],
	['setting', 'a run without a memory', undefined],
	['read', 'a run without a memory', undefined],
] as Array<[string, string, string | undefined]>)(
	'a %s of %s is refused: %s',
	(name, of, refusal) => {
		const [item] = ended(name, [REQUESTS[name]![1]], COMMON[of]);
		expect(item!.result?.problem?.message).toBe(refusal);
		if (refusal !== undefined) expect(item!.result?.outcome).toBe('not_sent');
	},
);

describe('item of a run that has sent something', () => {
	const { ref, fingerprint } = ended('transfer', [PAYMENT])[0]!.work!.identity!;
	const after = (outcome: 'done' | 'failed' | 'pending' | 'rejected' | 'unknown') =>
		commonOf({ memory: memoryOf({ [ref]: { fingerprint, outcome, items: [] } }) });

	it.each(['done', 'pending', 'failed', 'unknown'] as const)(
		'is answered after %s, whatever the checks say by now',
		(outcome) => {
			const [item] = prepared([{ ...PAYMENT, maximumAmount: '1', dryRun: true }], after(outcome));
			expect(item!.result).toBeUndefined();
			expect(isAnswered(item!.work!, after(outcome))).toBe(true);
		},
	);

	it('is checked again after a rejection', () => {
		const [item] = prepared([{ ...PAYMENT, maximumAmount: '1' }], after('rejected'));
		expect(item!.result?.outcome).toBe('not_sent');
	});

	it.each([
		['that cannot be named', {}, 'done', 'unknown'],
		['that cannot be named, before anything was sent', {}, undefined, 'not_sent'],
		[
			'with a name',
			{ ...PAYMENT, paymentReference: 'INV-2', maximumAmount: '1' },
			'done',
			'not_sent',
		],
	] as const)('%s is in doubt, or not sent', (_name, values, sent, outcome) => {
		const item = itemOf(0, values);
		if (Object.keys(values).length === 0)
			item.result = failed(new Problem('Amount is "x"', 'Enter it.'));
		prepare(item, sent ? after(sent) : commonOf());
		expect(item.result).toMatchObject({ outcome, problem: { outcome } });
	});
});
