import { PARTS, type Batch, type Notes } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { createJournal, type JournalData } from '../../../../nodes/CardTreasury/batch/journal.ts';
import { adviceOf } from '../../../../nodes/CardTreasury/batch/outcome.ts';
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

/** @param more options, or what stands beside them */
export function transferOf(amount: string, more: object = {}): Item {
	const {
		maximumAmount = '999999999',
		reference = `INV-${amount}`,
		oncePerDay = false,
		...options
	} = more as { maximumAmount?: string; reference?: string; oncePerDay?: boolean };
	return {
		parameters: {
			accountId: 'acc-1',
			walletId: 'wal-1',
			to: TO,
			tokenAddress: 'native',
			amountMode: 'fixed',
			amount,
			referenceFrom: oncePerDay ? 'oncePerDay' : 'data',
			paymentReference: reference,
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

/** Changes to the default settings of a run. */
export type More = Partial<Batch> & {
	isTool?: boolean;
	hasExecution?: boolean;
	client?: Client;
	/** Name of the node, which the journal uses. */
	name?: string;
	round?: number;
	windowMs?: number;
	/** Name of the API key. */
	credential?: string;
	target?: string;
	startedAt?: number;
};

/** Service of a company with these tokens. */
const withTokens = (client: Client, tokens: unknown[]): Client => ({
	send: async (work, group) =>
		work.request.path === '/mpc/tokens/list' ? answered(tokens) : await client.send(work, group),
});

/** Notes of a node in n8n's database, shared by the executions of a test. */
export class Database {
	readonly notes: string[] = [];
	readonly calls: Array<'record' | 'remove'> = [];
	/** Called before each call takes effect, and after: a throw makes it fail. */
	fails: (call: number, when: 'after' | 'before') => boolean = () => false;

	private locked = new Set<string>();

	/** Another process goes on with what is stored. */
	restart(): void {
		this.locked = new Set();
	}

	/** The notes as one run sees them. */
	forRun(): Notes {
		const own = new Set<string>();
		return {
			lock: (note) => {
				if (own.has(note)) return true;
				if (this.locked.has(note)) return false;
				this.locked.add(note);
				own.add(note);
				return true;
			},
			unlock: () => {
				for (const note of own) this.locked.delete(note);
				own.clear();
			},
			lookUpAndRecord: async (notes) =>
				await this.call('record', () => {
					const found = new Set(notes.filter((note) => this.notes.includes(note)));
					this.notes.push(...notes.filter((note) => !found.has(note)));
					return found;
				}),
			record: async (notes) =>
				(await this.call('record', () => {
					this.notes.push(...notes.filter((note) => !this.notes.includes(note)));
					return true;
				})) === true,
			count: async () => this.notes.length,
			remove: async (notes) =>
				(await this.call('remove', () => {
					for (const note of notes) {
						const at = this.notes.indexOf(note);
						if (at >= 0) this.notes.splice(at, 1);
					}
					return true;
				})) === true,
		};
	}

	private async call<Result>(
		kind: 'record' | 'remove',
		effect: () => Result,
	): Promise<Result | undefined> {
		const count = this.calls.push(kind) - 1;
		await Promise.resolve();
		if (this.fails(count, 'before')) return undefined;
		const result = effect();
		return this.fails(count, 'after') ? undefined : result;
	}
}

/** One execution, with the journal that its tries share. */
export class Execution {
	readonly data: JournalData = {};
	/** Tokens of the company. */
	tokens: unknown[] = [];
	/** Everything that was sent, reads included. */
	readonly sent: ClientWork[] = [];
	/** Hints that the runs showed. */
	readonly hints: string[] = [];
	/** Epoch milliseconds. */
	now = 1_000;
	startedAt = 1_000;

	constructor(
		private readonly operation: string,
		public service: Service = () => answered(),
		readonly database = new Database(),
	) {}

	/** Another execution of the same node. */
	another(startedAt = this.startedAt + 1): Execution {
		const other = new Execution(this.operation, this.service, this.database);
		other.startedAt = startedAt;
		other.now = this.now;
		return other;
	}

	/** A manual retry, from what n8n has stored; after a crash that is nothing. */
	retried({ crashed = false } = {}): Execution {
		const retry = this.another(this.startedAt);
		if (!crashed) Object.assign(retry.data, JSON.parse(JSON.stringify(this.data)));
		return retry;
	}

	/** Runs the batch once, as a first try, a retry or an agent's call does. */
	async run(items: Item[], more: More = {}) {
		const {
			isTool = false,
			hasExecution = true,
			client,
			name = 'Node',
			round = 0,
			windowMs = 24 * HOUR_MS,
			credential = 'key-1',
			target = 'target-1',
			startedAt = this.startedAt,
			...rest
		} = more;
		const batch: Batch = {
			operation: operationOf(this.operation),
			caller: {
				...callerOf(items[0] ?? { parameters: {} }),
				isTool,
				hasExecution,
				...(hasExecution && { startedAt }),
			},
			journal: this.journal(name, round),
			node: 'node-1',
			parts: PARTS,
			notes: this.database.forRun(),
			resend: isTool ? 'call' : 'retry',
			count: items.length,
			readItem: async (index) => inputOf(items[index]!),
			service: {
				client: withTokens(
					client ?? {
						send: async (work, group) => {
							if (group.stopped) return { kind: 'stopped' };
							work.onStart?.();
							const before = this.sent.push(work) - 1;
							await Promise.resolve();
							return this.service(work, before);
						},
					},
					this.tokens,
				),
				target,
				credential,
				...(windowMs > 0 && { windowMs }),
				environment: 'sandbox',
			},
			group: new RequestGroup(),
			continueOnFail: false,
			isRetry: false,
			now: () => this.now,
			pause: async () => await Promise.resolve(),
			storeFile: async (bytes, fileName, mimeType) => `${fileName} ${mimeType} ${bytes.length}`,
			hint: (message) => void this.hints.push(message),
			...rest,
		};
		const rows = await runBatch(batch);
		const results = rows.map(({ result }) => result);
		const failedAt = results.findIndex(({ kind }) => kind === 'failed');
		return {
			batch,
			rows,
			results,
			outcomes: results.map(({ outcome }) => outcome),
			/** Index of the item whose failure ends the run. */
			...(failedAt >= 0 && !batch.continueOnFail && { failedAt }),
		};
	}

	/** Journal of an execution whose node has run `round` times before. */
	private journal(name: string, round: number) {
		createJournal(this.data, name, 0);
		return createJournal(this.data, name, round);
	}

	get keys() {
		return this.sent.map(({ idempotencyKey }) => idempotencyKey);
	}

	/** Journal entries of the execution's writes. */
	get entries() {
		return Object.values(this.data.entries ?? {});
	}
}

/** Message, fix and outcome that a user reads of an item. Undefined if the item did not fail. */
export function complaint({ rows, batch }: Ended, index = 0) {
	const row = rows[index];
	if (row?.result.kind !== 'failed') return undefined;
	const { failure, outcome } = row.result;
	const fix = adviceOf(failure, outcome, row, batch, true);
	return { message: failure.message, fix, outcome };
}

export const kinds = ({ results }: Ended) => results.map(({ kind }) => kind);
export const outputs = ({ results }: Ended) =>
	results.map((result) => (result.kind === 'done' ? result.items : []));
