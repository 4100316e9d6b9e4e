import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

import { batchHints } from '../../../../nodes/CardTreasury/batch/batchHints.ts';
import type { BatchResult, ItemResult } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { describeBatch } from '../../../../nodes/CardTreasury/batch/describeBatch.ts';
import type { RecoveryPath } from '../../../../nodes/CardTreasury/request.ts';
import { connect, createLimiters } from '../../../../nodes/CardTreasury/n8n/connect.ts';
import { refuseRetry } from '../../../../nodes/CardTreasury/n8n/crashGuard.ts';
import { readItems } from '../../../../nodes/CardTreasury/n8n/read.ts';
import { refuseOldHost } from '../../../../nodes/CardTreasury/n8n/readBatch.ts';
import { HINTS } from '../../../../nodes/CardTreasury/n8n/respond.ts';
import { unexpected } from '../../../../nodes/CardTreasury/n8n/run.ts';
import { chosenOperation } from '../../../../nodes/CardTreasury/resources/index.ts';
import { unsupportedHost } from '../../../../nodes/service/host.ts';
import {
	answered,
	complaint,
	Execution,
	failed,
	postOf,
	transferOf,
} from '../../../unit/CardTreasury/batch/batches.mts';
import { operationOf, type Item } from '../../../unit/CardTreasury/resources/reading.mts';
import { DOCUMENT, PNG } from '../../../unit/CardTreasury/resources/requests.mts';
import { failureMessage } from './answered.mts';
import { inTurn, messageOf, provoke, textOnly, type Message } from './message.mts';
import { metadataNotices } from './situations.mts';

/** What stops a run, or an item of it, other than its fields and the service. */
export async function runMessages(): Promise<Message[]> {
	return [
		...(await provoke(() => chosenOperation('card', 'delete'))),
		...(await provoke(() => refuseOldHost(unsupportedHost({})))),
		...(await unreadableParameter()),
		messageOf(unexpected(new Error('Credentials not found'))),
		...(await inTurn(BATCHES, async (run) => messagesOf(await run()))),
		messageOf(refuseRetry('begun before')),
		messageOf(refuseRetry('unknown')),
	];
}

/** Batches that are refused, in whole or in part. */
const BATCHES: Array<() => Promise<BatchResult<string>>> = [
	async () => await transfers(transferOf('600', total), transferOf('500', total)),
	async () => await transfers(transferOf('1', count), transferOf('2', count)),
	async () => await transfers(transferOf('1', ownKey), transferOf('2', ownKey)),
	async () =>
		await new Execution('wallet: transfer').run([transferOf('1', { maximumAmount: '5' })], {
			isTool: true,
			hasExecution: false,
		}),
	async () => await twice('wallet: transfer', transferOf('1'), transferOf('2'), answered()),
	async () => await twice('wallet: transfer', transferOf('1'), transferOf('2'), failed('unknown')),
	async () =>
		await twice('wallet: transfer', transferOf('1', ownKey), transferOf('2', ownKey), answered()),
	async () => await twice('endpoint: request', postOf('{}'), postOf('{}'), failed('unknown')),
	async () =>
		await new Execution('productRequest: submitDocument', () =>
			failed('rejected', unreachable()),
		).run([{ parameters: { ...DOCUMENT, options: {} }, files: { front: PNG } }]),
	async () =>
		await new Execution('cardTransaction: downloadStatement').run(
			[{ parameters: { cardId: 'crd_123', options: {} } }],
			{ storeFile: async () => await Promise.reject(new Error('No space left on device')) },
		),
];

/** As the client would tell it. */
function unreachable() {
	const attempt = { kind: 'no response', code: 'ECONNREFUSED', timedOut: false } as const;
	const { text: message, fix } = failureMessage(attempt, { effect: 'read', answer: 'array' });
	return { message, fix };
}

const total = { maximumTotal: '1000' };
const count = { maximumTransfers: 1 };
const ownKey = { idempotencyKey: 'invoice-7' };

const transfers = async (...items: Item[]) => await new Execution('wallet: transfer').run(items);

/** A try, and Retry On Fail with what the expressions give by then. */
async function twice(
	operation: string,
	first: Item,
	second: Item,
	answer: ReturnType<typeof answered>,
): Promise<BatchResult<string>> {
	const execution = new Execution(operation, () => answer);
	// Another item has failed, or the journal would be cleared.
	const broken: Item = { ...first, parameters: { ...first.parameters, options: 'x' } };
	await execution.run([first, broken], { continueOnFail: true });
	return await execution.run([second, broken], { continueOnFail: true });
}

function messagesOf(result: BatchResult<string>): Message[] {
	const found = result.results.findIndex(({ kind }) => kind === 'failed');
	const { message = '', fix = '' } = complaint(result, found) ?? {};
	const entry = result.prepared[found];
	const field = entry && 'field' in entry ? entry.field : undefined;
	return [{ text: message, fix, ...(field !== undefined && { field }) }];
}

/** n8n's own words about an expression that fails stand in the message. */
async function unreadableParameter(): Promise<Message[]> {
	const n8n: IExecuteFunctions = Object.assign(Object.create(null), {
		getInputData: () => [{ json: {} }],
		getNodeParameter: () => {
			throw new Error('$json.card is not a function');
		},
	});
	const [item] = readItems(n8n, operationOf('card: get'));
	return await provoke(() => {
		throw item?.parameters.cardId;
	});
}

const CREDENTIAL = { environment: 'sandbox', baseUrl: 'https://api.example.com', apiKey: 'key' };

/** Why a credential is not used. */
export async function credentialMessages(): Promise<Message[]> {
	const bad = [
		{ baseUrl: '' },
		{ baseUrl: 'api.example.com' },
		{ baseUrl: 'http://api.example.com' },
		{ baseUrl: 'https://user:secret@api.example.com' },
		{ baseUrl: 'https://api.example.com?key=1' },
		{ apiKey: '' },
		{ apiKey: 'key 1' },
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example.com' },
	];
	return await inTurn(bad, async (change) => {
		const n8n: ILoadOptionsFunctions = Object.assign(Object.create(null), {
			getCredentials: async () => ({ ...CREDENTIAL, ...change }),
		});
		return await provoke(async () => await connect(n8n, createLimiters()));
	});
}

const done = (json: object, attempts = 1): ItemResult => ({
	kind: 'done',
	items: [{ json: { ...json } }],
	attempts,
});
const notSent: ItemResult = { kind: 'not sent' };

/** Hints of the output panel, and notices in place of a field. */
export async function hintMessages(): Promise<Message[]> {
	const hints: Array<[string, ItemResult[]]> = [
		['wallet: transfer', [done({ dry_run: true })]],
		['wallet: transfer', [done({ status: 'PENDING' })]],
		['wallet: transfer', [done({ status: 'FAILED' })]],
		['wallet: transfer', [done({ status: null })]],
		[
			'cardTransaction: search',
			[done({ total_elements: 250, movements: Array(100).fill({ operation: 'PURCHASE' }) })],
		],
		['productRequest: submitDocument', [done({ rejected_items: [{ key: 'front' }] })]],
		['card: freeze', [done({}), notSent]],
		['card: freeze', [done({}), done({}, 2)]],
		['card: freeze', Array.from({ length: 16 }, () => done({}))],
	];
	return [
		...hints.flatMap(([name, results]) =>
			batchHints(operationOf(name), results).map(({ message }) => textOnly(message)),
		),
		...[HINTS.nothingWaiting, HINTS.tooLate, HINTS.answeredBefore('05'), HINTS.disagree].map(
			textOnly,
		),
		...(await metadataNotices()).map(textOnly),
	];
}

/** What the message of a run that has ended says of its items. */
export function batchDescriptions(): Array<[when: string, said: string]> {
	const ended = (outcome: 'rejected' | 'unknown'): ItemResult[] => [
		...Array.from({ length: 3 }, () => done({})),
		failedItem(outcome),
		...Array.from({ length: 2 }, () => notSent),
	];
	const said = (results: ItemResult[], recovery: RecoveryPath): string =>
		describeBatch(results, 'keyed write', recovery).trim();
	return [
		['Nothing was sent', said([notSent, notSent, notSent], 'retry')],
		['One was rejected', said(ended('rejected'), 'retry')],
		['The outcome of one is unknown', said(ended('unknown'), 'retry')],
		[
			'The same, where a retry of the execution does not help',
			said(ended('unknown'), 'copied key'),
		],
		['The same, with a key of your own', said(ended('unknown'), 'own key')],
	];
}

function failedItem(outcome: 'rejected' | 'unknown'): ItemResult {
	const result = failed(outcome);
	return result.kind === 'failed' ? result : notSent;
}
