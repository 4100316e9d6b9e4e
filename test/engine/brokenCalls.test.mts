import lodash from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';

import { image, requestOf } from '../harness/fixtures.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { emptyDatabase, overriding, type CoreOptions } from './core.mts';
import { body, errorOutput, goesOn, jsonIn, run, sampleOf } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

/** What n8n does for a node, and may fail at. */
const METHODS = [
	...['getNodeParameter', 'evaluateExpression', 'getWorkflowDataProxy', 'getContext'],
	...['getCredentials', 'getTimezone', 'addExecutionHints', 'sendResponse'],
];
const HELPERS = [
	...['httpRequestWithAuthentication', 'checkProcessedAndRecord', 'removeProcessed'],
	...['getBinaryDataBuffer', 'prepareBinaryData'],
];

/** Makes one call of n8n's context throw. Adds the name of each call to a list. */
const breaking = (broken: number, calls: string[]) => (n8n: IExecuteFunctions) => {
	const begin = (name: string) => {
		calls.push(name);
		if (calls.length - 1 === broken) throw new Error('n8n is broken');
	};
	const wrapped = (of: object, names: string[]) =>
		lodash.mapValues(lodash.pick(of, names), (call: (...given: unknown[]) => unknown, name) => {
			return function (this: unknown, ...given: unknown[]) {
				begin(name);
				return call.apply(this, given);
			};
		});
	return overriding(n8n, {
		...wrapped(n8n, METHODS),
		helpers: overriding(n8n.helpers, wrapped(n8n.helpers, HELPERS)),
		get customData() {
			begin('customData');
			return n8n.customData;
		},
	});
};

/** Outcomes when the first call of a name fails, and the next ones. All others are `not_sent`. */
type Expected = Record<string, string[]>;

const DECORATION: Expected = { addExecutionHints: ['done'], customData: ['done'] };
const REPEATED: Expected = { ...DECORATION, httpRequestWithAuthentication: ['done'] };
/** A request that may be repeated at will needs no memory. */
const AT_WILL: Expected = {
	...REPEATED,
	getContext: ['done'],
	getWorkflowDataProxy: ['not_sent', 'done'],
};
const MEMORY: Expected = {
	checkProcessedAndRecord: ['unknown', 'done'],
	removeProcessed: ['done'],
};
const ONCE: Expected = { ...DECORATION, ...MEMORY, httpRequestWithAuthentication: ['unknown'] };

const RIGHT_NOW = { balanceDay: '={{ $now.toISODate() }}' };
const FILE = { binaryPropertyName: 'data' };
const SET = { options: { dryRun: false } };
const NAMED = { paymentReference: '=INV-{{ $json.id }}', options: { maximumTotal: '9' } };

const ROWS: Array<[name: string, more: object, Expected, effect?: string]> = [
	['card: get', { simplify: false }, AT_WILL],
	['cardTransaction: downloadStatement', FILE, { ...AT_WILL, prepareBinaryData: ['rejected'] }],
	['wallet: calculateSweep', RIGHT_NOW, DECORATION],
	['card: freeze', SET, AT_WILL, 'card.freeze'],
	['wallet: transfer', NAMED, { ...REPEATED, ...MEMORY }, 'wallet.transfer'],
	['endpoint: request', requestOf(body('1')), ONCE, 'wallet.transfer'],
	['productRequest: submitDocument', {}, ONCE, 'productRequest.submitDocument'],
];

it.each(ROWS)('each call of n8n throws in turn: %s', async (...[of, changes, expected, effect]) => {
	const parameters = sampleOf(of, changes);
	const item = { json: { id: 'input' }, binary: { data: image() } };
	const attempt = async (broken: number, more: Partial<CoreOptions>) => {
		simulator.reset();
		emptyDatabase();
		const calls: string[] = [];
		const wrap = breaking(broken, calls);
		return { calls, ...(await run(parameters, { items: [item], wrap, ...more })) };
	};
	const { calls } = await attempt(-1, {});
	const seen: string[] = [];
	for (const [broken, name] of calls.entries()) {
		const outcomes = expected[name] ?? ['not_sent'];
		const outcome = outcomes[seen.filter((other) => other === name).length] ?? outcomes.at(-1);
		seen.push(name);
		for (const more of [goesOn, errorOutput]) {
			const { outputs, error } = await attempt(broken, more);
			const [[json = {}, ...others] = [], failed = []] = outputs.map(jsonIn);
			const isDone = outcome === 'done';
			if (isDone) expect(failed).toEqual([]);
			const [shown = {}] = isDone || more === goesOn ? [json] : failed;
			const isExecuted = simulator.ledger.some(({ operation }) => operation === effect);
			expect({ name, broken, error, others, isExecuted, ...shown }).toEqual({
				...shown,
				name,
				broken,
				error: isDone ? undefined : expect.any(String),
				others: [],
				isExecuted: isDone && effect !== undefined,
				...(!isDone && { outcome }),
			});
			// n8n adds the fields of the input to an item of the error output.
			if (more === goesOn) expect(shown.id).not.toBe('input');
		}
	}
});
