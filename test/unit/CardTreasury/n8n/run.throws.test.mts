import { DateTime } from 'luxon';
import type { IDataObject, INode } from 'n8n-workflow';

import { findOperation } from '../../../../nodes/CardTreasury/operations/index.ts';
import { byId, image, transferOf } from '../../../harness/fixtures.mts';
import { OPERATIONS } from '../operations/everyField.mts';
import { N8nExecution, type Run } from './execution.mts';

/** Parameters with which each operation succeeds. */
const PARAMETERS: Record<string, IDataObject> = {
	'token: getAll': {},
	'wallet: transfer': transferOf('1', { maximumTotal: '9' }),
	'wallet: calculateSweep': {
		walletId: 'w',
		balance: '9',
		floor: '5',
		balanceDay: DateTime.now().setZone('America/New_York').toFormat('yyyy-MM-dd'),
	},
	'rampTransfer: updateAmount': { rampTransferId: 'r', amount: '1' },
	'card: get': { cardId: 'c' },
	'card: configure3ds': { cardId: 'c', type: 'sms' },
	'card: freeze': { cardId: 'c' },
	'card: unblock': { cardId: 'c' },
	'card: unfreeze': { cardId: 'c' },
	'authorization: respond': { decision: 'approve' },
	'cardTransaction: search': { cardId: 'c' },
	'cardTransaction: get': { path: '/tx' },
	'cardTransaction: downloadStatement': { cardId: 'c' },
	'productRequest: getAll': { clientId: 'c' },
	'productRequest: getMissingRequirements': { clientId: 'c', itemPer: 'client' },
	'productRequest: submitDocument': {
		clientId: 'c',
		productRequestId: byId('pr-1'),
		documentType: byId('passport'),
		frontImageField: 'data',
	},
	'endpoint: request': { method: 'POST', path: '/any', jsonBody: '{}' },
};

it('every operation has parameters here', () => {
	expect(Object.keys(PARAMETERS).sort()).toEqual([...OPERATIONS].sort());
});

const LISTS = ['/products', '/list'];

function runOf(name: string): Run {
	const [resource = '', operation = ''] = name.split(': ');
	return {
		resource,
		operation,
		parameters: PARAMETERS[name],
		binary: { data: image() },
		answer: (_, { url, method }) => {
			if (url.endsWith('/pdf')) return Buffer.from('%PDF-1.7 %%EOF');
			const isList = method === 'GET' && LISTS.some((list) => url.endsWith(list));
			return isList ? [{ id: 'pr-1', status: 'pending_documentation' }] : { status: 'SUCCESS' };
		},
	};
}

/** Names of the n8n functions that a successful run calls. */
async function callsOf(name: string): Promise<string[]> {
	const calls = new Set<string>();
	await new N8nExecution().run({ ...runOf(name), onCall: (call) => calls.add(call) });
	return [...calls];
}

const failing = (name: string, failed: string, onError?: INode['onError']): Run => ({
	...runOf(name),
	node: { onError },
	continueOnFail: onError !== undefined,
	onCall: (call) => {
		if (call === failed) throw new TypeError(`${call} is broken`);
	},
});

/** Calls whose failure costs nothing but a hint or custom data. */
const HARMLESS = ['addExecutionHints', 'set', 'continueOnFail'];

/** Calls without which the operation of the node is not known. */
const UNREADABLE = ['getNode', 'getInputData', 'getNodeParameter'];

/** Fields that each output item of a write has, whatever became of it. */
function fieldsOf(name: string): string[] {
	const [resource = '', operation = ''] = name.split(': ');
	const found = findOperation(resource, operation);
	return found?.kind === 'service' && found.effect !== 'read'
		? ['outcome', 'summary', ...Object.keys(found.output), 'trace_id']
		: [];
}

/** Call that comes after sending, so that the item may have been sent or not. */
const LATE = 'removeProcessed';

describe('calls of n8n that throw', () => {
	it.each(OPERATIONS)('%s', async (name) => {
		const calls = await callsOf(name);
		expect(calls).toEqual(expect.arrayContaining(['getNode', 'getInputData', 'continueOnFail']));
		for (const call of calls) {
			for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
				const execution = new N8nExecution();
				const items = await execution.run(failing(name, call, onError));
				expect([call, items.length]).toEqual([call, 1]);
				if (call === LATE) continue;
				const isFine = HARMLESS.includes(call);
				expect([call, onError, items.map(({ json }) => typeof json.error)]).toEqual([
					call,
					onError,
					[isFine ? 'undefined' : 'string'],
				]);
				if (!isFine && !UNREADABLE.includes(call))
					expect([call, ...fieldsOf(name).filter((field) => !(field in items[0]!.json))]).toEqual([
						call,
					]);
				// The error output finds its items by this property.
				if (onError === 'continueErrorOutput' && !isFine)
					expect([call, 'error' in items[0]!]).toEqual([call, true]);
			}
			if (call === LATE) continue;
			const stopped = new N8nExecution().run(failing(name, call));
			if (HARMLESS.includes(call)) expect(await stopped).toHaveLength(1);
			else await expect(stopped).rejects.toThrow(/./);
		}
	});

	it('every n8n function that the package uses in a run is covered', async () => {
		const all = new Set((await Promise.all(OPERATIONS.map(callsOf))).flat());
		expect([...all].sort()).toMatchInlineSnapshot(`
		[
		  "addExecutionHints",
		  "checkProcessedAndRecord",
		  "continueOnFail",
		  "getBinaryDataBuffer",
		  "getContext",
		  "getCredentials",
		  "getExecutionCancelSignal",
		  "getExecutionContext",
		  "getExecutionId",
		  "getInputData",
		  "getMode",
		  "getNode",
		  "getNodeParameter",
		  "getTimezone",
		  "getWorkflow",
		  "getWorkflowDataProxy",
		  "getWorkflowSettings",
		  "httpRequestWithAuthentication",
		  "prepareBinaryData",
		  "removeProcessed",
		  "set",
		]
	`);
	});
});
