import type { IExecuteFunctions } from 'n8n-workflow';

import type { EndedRow, ItemResult, Plan } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { accountOf, hintsOf } from '../../../../nodes/CardTreasury/batch/report.ts';
import { CardTreasury } from '../../../../nodes/CardTreasury/CardTreasury.node.ts';
import { createContinueOnce } from '../../../../nodes/CardTreasury/n8n/continueOnce.ts';
import { readItems } from '../../../../nodes/CardTreasury/n8n/readItems.ts';
import { HINTS, sendDecision } from '../../../../nodes/CardTreasury/n8n/respond.ts';
import {
	operationOfAll,
	refuseEngine2,
	refuseOldHost,
} from '../../../../nodes/CardTreasury/n8n/run.ts';
import { respond } from '../../../../nodes/CardTreasury/operations/authorization/respond.ts';
import { chosenOperation } from '../../../../nodes/CardTreasury/operations/index.ts';
import type { ClientWork, RequestResult } from '../../../../nodes/CardTreasury/request/client.ts';
import { asInvalid } from '../../../../nodes/CardTreasury/request/errors.ts';
import type { RecoveryPath } from '../../../../nodes/CardTreasury/request/request.ts';
import { unsupportedHost } from '../../../../nodes/shared/host.ts';
import {
	answered,
	complaint,
	Execution,
	failed,
	HOUR_MS,
	postOf,
	TO,
	transferOf,
	type Ended,
} from '../../../unit/CardTreasury/batch/batches.mts';
import { inputOf, operationOf, type Item } from '../../../unit/CardTreasury/operations/reading.mts';
import { DOCUMENT, PNG } from '../../../unit/CardTreasury/operations/requests.mts';
import { failureMessage } from './answered.mts';
import { inTurn, messageOf, provoke, textOnly, thrownBy, type Message } from './message.mts';
import { metadataNotices } from './situations.mts';

/** What stops a run, or an item of it, other than its fields and the service. */
export async function runMessages(): Promise<Message[]> {
	return [
		...(await provoke(() => chosenOperation('card', 'delete'))),
		...(await differentOperations()),
		...(await provoke(() => refuseOldHost(unsupportedHost({})))),
		...(await provoke(() =>
			refuseEngine2({ getExecutionId: () => '8', getExecutionContext: () => undefined }),
		)),
		...(await unreadableParameter()),
		messageOf(asInvalid('Credentials not found')),
		...(await inTurn(BATCHES, async (run) => messagesOf(await run()))),
		...(await beginnings()),
		...(await respondElsewhere()),
	];
}

/** Batches that are refused, in whole or in part. */
const BATCHES: Array<() => Promise<Ended>> = [
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
	async () =>
		await twice(
			'wallet: transfer',
			transferOf('1', ownKey),
			transferOf('1', { idempotencyKey: 'invoice-8' }),
			failed('unknown'),
		),
	async () => await twice('endpoint: request', postOf('{}'), postOf('{}'), failed('unknown')),
	async () => await transfers(SWEEP, SWEEP),
	async () =>
		await new Execution('wallet: transfer').run(
			[transferOf('1', { maximumAmount: '5', ...total, ...ownKey })],
			{ isTool: true, hasExecution: false },
		),
	async () =>
		await later(async (execution) => await execution.run([transferOf('2', ownKey)], { round: 1 })),
	async () => await later(async (execution) => await execution.run([keyed], { round: 1 })),
	async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1')]);
		return await execution.run([transferOf('1')], { round: 1 });
	},
	async () =>
		await later(async (execution) => {
			execution.target = 'another credential';
			return await execution.run([keyed]);
		}),
	async () =>
		await later(async (execution) => {
			execution.now += 24 * HOUR_MS;
			return await execution.run([keyed]);
		}, failed('unknown')),
	async () =>
		await later(
			async (execution) =>
				await execution.run([transferOf('1', { ...ownKey, dryRun: true })], { isRetry: true }),
		),
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

const keyed = transferOf('1', ownKey);
const SWEEP: Item = {
	parameters: {
		...transferOf('').parameters,
		amountMode: 'aboveFloor',
		balance: '900',
		floor: '500',
	},
};

/** What follows a transfer in the same execution. */
async function later(
	then: (execution: Execution) => Promise<Ended>,
	answer = answered(),
): Promise<Ended> {
	const execution = new Execution('wallet: transfer', () => answer);
	await execution.run([keyed]);
	return await then(execution);
}

const transfers = async (...items: Item[]) => await new Execution('wallet: transfer').run(items);

/** A try, and Retry On Fail with what the expressions give by then. */
async function twice(
	operation: string,
	first: Item,
	second: Item,
	answer: ReturnType<typeof answered>,
): Promise<Ended> {
	const execution = new Execution(operation, () => answer);
	await execution.run([first]);
	return await execution.run([second]);
}

function messagesOf(ended: Ended): Message[] {
	const { results } = ended;
	const found = results.findIndex((result) => result?.kind === 'failed');
	const { message = '', fix = '' } = complaint(ended, found) ?? {};
	const result = results[found];
	const failure = result?.kind === 'failed' ? result.failure : undefined;
	return [{ text: message, fix, ...(failure && 'field' in failure && { field: failure.field }) }];
}

/** Why a run does not begin to write. */
async function beginnings(): Promise<Message[]> {
	const plan: Plan = { fingerprint: '', allKeyed: false, allOwn: false, windowMs: 1 };
	const noted = { fresh: [], certain: true };
	return await inTurn(
		[
			{ mode: 'trigger', note: 'unknown' as const },
			{ mode: 'retry', note: 'unknown' as const },
			{ mode: 'retry', note: noted },
			{ mode: 'retry', note: noted, allOwn: true },
		],
		async ({ mode, note, allOwn = false }) => {
			const n8n: IExecuteFunctions = Object.assign(Object.create(null), {
				getExecutionId: () => '8',
				getMode: () => mode,
				getNode: () => ({ name: 'Card Treasury' }),
				getWorkflow: () => ({ id: '1' }),
			});
			const continueOnce = createContinueOnce(async () => note);
			const past = { begun: {}, origins: ['1'], root: '7@1', now: () => 0 };
			const beginning = await continueOnce(n8n, past, { ...plan, allOwn });
			return 'why' in beginning ? [messageOf(beginning.why)] : [];
		},
	);
}

/** *Respond* in a sub-workflow. */
async function respondElsewhere(): Promise<Message[]> {
	const n8n: IExecuteFunctions = Object.assign(Object.create(null), {
		continueOnFail: () => false,
		getExecutionId: () => '8',
		getInputData: () => [{ json: {} }],
		getMode: () => 'integrated',
		getNode: () => ({ name: 'Card Treasury', type: 'cardTreasury', parameters: {} }),
		getNodeParameter: () => undefined,
		getTimezone: () => 'UTC',
	});
	return await thrownBy(async () => await sendDecision(n8n, respond));
}

async function differentOperations(): Promise<Message[]> {
	const n8n: IExecuteFunctions = Object.assign(Object.create(null), {
		getInputData: () => [{ json: {} }, { json: {} }],
		getNodeParameter: (name: string, index: number) =>
			name === 'resource' ? 'card' : ['freeze', 'unfreeze'][index],
	});
	return await provoke(() => operationOfAll(n8n));
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

const done = (json: object, attempts = 1): ItemResult => ({
	kind: 'done',
	items: [{ ...json }],
	attempts,
});
const rowsOf = (results: Array<ItemResult | undefined>) =>
	results.map(
		(result, index): EndedRow => ({
			index,
			input: inputOf({ parameters: {} }),
			result,
			outcome: 'not_sent',
		}),
	);

/** Hints of the output panel, and notices in place of a field. */
export async function hintMessages(): Promise<Message[]> {
	const hints: Array<[string, Array<ItemResult | undefined>]> = [
		['wallet: transfer', [done({ dry_run: true })]],
		['wallet: transfer', [done({ dry_run: true }), done({})]],
		['wallet: transfer', [done({ status: 'PENDING' })]],
		['wallet: transfer', [done({ status: 'FAILED' })]],
		['wallet: transfer', [done({ status: null })]],
		['wallet: transfer', [done({ to: TO.toLowerCase() })]],
		[
			'cardTransaction: search',
			[done({ total_elements: 250, movements: Array(100).fill({ operation: 'PURCHASE' }) })],
		],
		['productRequest: submitDocument', [done({ rejected_items: [{ key: 'front' }] })]],
		['productRequest: submitDocument', [done({ rejected_items: null })]],
		['card: freeze', [done({}), undefined]],
		['card: freeze', [done({}), done({}, 2)]],
		['card: freeze', Array.from({ length: 16 }, () => done({}))],
	];
	return [
		...(new CardTreasury().description.hints ?? []).map(({ message }) => textOnly(message)),
		...hints.flatMap(([name, results]) =>
			hintsOf(rowsOf(results), { operation: operationOf(name) }).map(({ message }) =>
				textOnly(message),
			),
		),
		...[HINTS.nothingWaiting, HINTS.tooLate, HINTS.answeredBefore('05'), HINTS.disagree].map(
			textOnly,
		),
		...(await metadataNotices()).map(textOnly),
	];
}

/** What the message of a run that has ended says of its items. */
export async function batchDescriptions(): Promise<Array<[when: string, said: string]>> {
	const said = async (
		outcomes: Array<'accepted' | 'rejected' | 'unknown' | undefined>,
		recovery: RecoveryPath = 'retry',
	): Promise<string> => {
		const execution = new Execution('wallet: transfer');
		const items = outcomes.map((_, index) =>
			transferOf(`${index + 1}`, recovery === 'own key' ? { idempotencyKey: `${index}` } : {}),
		);
		const client = {
			send: async ({ request }: ClientWork): Promise<RequestResult> => {
				const amount = /"text":"(\d+)"/.exec(JSON.stringify(request.body))?.[1];
				const outcome = outcomes[Number(amount) - 1];
				if (outcome === undefined) return { kind: 'stopped' };
				return outcome === 'accepted' ? answered() : failed(outcome);
			},
		};
		const { rows, batch } = await execution.run(items, { recovery, client });
		return (accountOf(rows, batch) ?? '').trim();
	};
	const ended = (outcome: 'rejected' | 'unknown') =>
		[...Array(3).fill('accepted'), outcome, undefined, undefined] as Array<typeof outcome>;
	return [
		['Nothing was sent', await said([undefined, undefined, undefined])],
		['One was rejected', await said(ended('rejected'))],
		['The outcome of one is unknown', await said(ended('unknown'))],
		[
			'The same, where a retry of the execution does not help',
			await said(ended('unknown'), 'copied key'),
		],
		['The same, with a key of your own', await said(ended('unknown'), 'own key')],
	];
}
