import type { Batch, Plan } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { createJournal, type JournalData } from '../../../../nodes/CardTreasury/batch/journal.ts';
import { runBatch } from '../../../../nodes/CardTreasury/batch/runBatch.ts';
import type {
	Client,
	ClientWork,
	RequestResult,
} from '../../../../nodes/CardTreasury/request/client.ts';
import type { RequestFailure } from '../../../../nodes/CardTreasury/request/errors.ts';
import { RequestGroup } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { answerOf, callerOf, inputOf, operationOf, type Item } from '../operations/reading.mts';

export const TO = '0x52908400098527886E0F7030069857D2E4169EE7';

export function transferOf(amount: string, given: object = {}): Item {
	const { maximumAmount = '999999999', ...options } = given as { maximumAmount?: string };
	return {
		parameters: {
			accountId: 'acc-1',
			walletId: 'wal-1',
			to: TO,
			tokenAddress: 'native',
			amountMode: 'fixed',
			amount,
			referenceFrom: 'data',
			paymentReference: 'INV-1',
			maximumAmount,
			options,
		},
	};
}
export const postOf = (jsonBody: string, options: object = {}): Item => ({
	parameters: { method: 'POST', path: '/any', jsonBody, options },
});
export const cardOf = (cardId: string, options: object = {}): Item => ({
	parameters: { cardId, options },
});

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)]);
export const documentOf = (productRequestId: string): Item => ({
	parameters: {
		clientId: 'cli-1',
		productRequestId,
		documentType: 'passport',
		frontImageField: 'data',
		options: {},
	},
	files: { data: PNG },
});

export const answered = (json: unknown = { status: 'SUCCESS' }): RequestResult => ({
	kind: 'answered',
	answer: answerOf({ json }),
	attempts: 1,
});
export const failed = (
	outcome: RequestFailure['outcome'],
	more: Partial<RequestFailure> = {},
): RequestResult => ({
	kind: 'failed',
	failure: {
		kind: 'request failure',
		message: 'It failed',
		fix: 'Fix it.',
		traceId: null,
		outcome,
		...more,
	},
	attempts: 1,
});

/** Answers a request; the number tells how many came before it. */
type Service = (work: ClientWork, before: number) => RequestResult;

export type Ended = Awaited<ReturnType<Execution['run']>>;

export const HOUR_MS = 3_600_000;

/** One execution, with the journal that its tries share. */
export class Execution {
	readonly data: JournalData = {};
	/** Everything that was sent, reads included. */
	readonly sent: ClientWork[] = [];
	/** What the shell was told when writes began. */
	readonly begun: Plan[] = [];
	/** Epoch milliseconds. */
	now = 1_000;
	/** Which credential is used. */
	target = 'target-1';

	constructor(
		private readonly operation: string,
		public service: Service = () => answered(),
	) {}

	/** Runs the batch once, as a first try, a retry or an agent's call does. */
	async run(
		items: Item[],
		more: Partial<Batch> & {
			isTool?: boolean;
			hasExecution?: boolean;
			client?: Client;
			node?: string;
			round?: number;
		} = {},
	) {
		const { isTool = false, hasExecution = true, client, node = 'Node', round = 0, ...rest } = more;
		const batch: Batch = {
			operation: operationOf(this.operation),
			caller: { ...callerOf(items[0] ?? { parameters: {} }), isTool, hasExecution },
			identity: {
				instanceId: 'instance-1',
				workflowId: 'workflow-1',
				node,
				root: '7@1000',
				round,
			},
			// As n8n stores it: only JSON survives.
			journal: createJournal(this.data, node, round),
			recovery: isTool ? 'tool call' : 'retry',
			items: items.map(inputOf),
			service: {
				client: client ?? {
					send: async (work, group) => {
						if (group.stopped) return { kind: 'stopped' };
						const before = this.sent.push(work) - 1;
						await Promise.resolve();
						return this.service(work, before);
					},
				},
				target: this.target,
				windowMs: 24 * HOUR_MS,
				environment: 'sandbox',
			},
			group: new RequestGroup(),
			continueOnFail: false,
			isRetry: false,
			now: () => this.now,
			begin: async (plan) => {
				this.begun.push(plan);
				return { kind: 'first' };
			},
			storeFile: async (bytes, fileName, mimeType) => `${fileName} ${mimeType} ${bytes.length}`,
			...rest,
		};
		const rows = await runBatch(batch);
		const results = rows.map(({ result }) => result);
		const failedAt = results.findIndex((result) => result?.kind === 'failed');
		return {
			batch,
			rows,
			/** By item; undefined where nothing was sent. */
			results,
			outcomes: rows.map(({ outcome }) => outcome),
			/** The item whose failure ends the run. */
			...(failedAt >= 0 && !batch.continueOnFail && { failedAt }),
		};
	}

	get keys() {
		return this.sent.map(({ idempotencyKey }) => idempotencyKey);
	}

	/** What the execution keeps of its writes. */
	get entries() {
		return Object.values(this.data.entries ?? {});
	}
}

/** What a user reads of the item at this place; undefined when it did not fail. */
export function complaint({ results, outcomes }: Ended, index = 0) {
	const result = results[index];
	if (result?.kind !== 'failed') return undefined;
	const { message, fix } = result.failure;
	return { message, fix, outcome: outcomes[index] };
}

export const kinds = ({ results }: Ended) => results.map((result) => result?.kind ?? 'not sent');
export const outputs = ({ results }: Ended) =>
	results.map((result) => (result?.kind === 'done' ? result.items : []));
