import { performance } from 'node:perf_hooks';
import lodash from 'lodash';

import { eventName } from '../events/index.mts';
import { MAGIC_RECIPIENTS } from '../ids.mts';
import type { LedgerRow, RequestRecord } from '../ledger.mts';
import { parseJson } from '../parseJson.mts';
import { cardStatus } from '../seedCards.mts';
import type { Simulator } from '../server.mts';
import type { Company, Trace } from './company.mts';
import { TROUBLES } from './troubles.mts';

/** Any other recipient than the magic ones succeeds: one to copy, with its checksum. */
const GOOD_RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Longest list that the page shows. */
const SHOWN = 200;

/** Everything that the page shows, newest first. */
export function snapshot(simulator: Simulator) {
	const { company, state, faults } = simulator;
	return {
		service: simulator.url,
		company: company && companyView(company),
		deliveries: latest(simulator.deliveries).map((record) => ({
			...lodash.pick(record, 'n', 'url'),
			name: eventName(record.event),
			event: record.event,
			ended: record.delivery !== undefined,
			delivered: record.delivery?.delivered ?? false,
			answers: record.attempts.map(({ at, ...attempt }) => ({ ...attempt, at: clock(at) })),
			trace: company?.trace(record.attempts.at(-1)?.traceId ?? ''),
		})),
		payments: payments(simulator),
		wallets: state.records.wallets.map((wallet) =>
			lodash.pick(wallet, 'account_id', 'id', 'blockchain'),
		),
		recipients: Object.entries({ SUCCESS: GOOD_RECIPIENT, ...MAGIC_RECIPIENTS }).map(
			([ending, address]) => ({ ending, address }),
		),
		changes: latest(simulator.ledger.filter(({ amountText }) => amountText === undefined)).map(
			(row) => ({ ...lodash.pick(row, 'n', 'operation', 'path'), at: clock(row.at) }),
		),
		cards: state.records.cards.map((card) => ({
			...lodash.pick(card, 'id', 'last4', 'card_holder_name', 'kind', 'forwarded_3ds_type'),
			status: cardStatus(card),
		})),
		clients: state.records.clients.map((id) => ({
			id,
			requests: state.records.productRequests
				.filter(({ client_id }) => client_id === id)
				.map((request) => ({
					...lodash.pick(request, 'id', 'product', 'status'),
					missing: (request.missing_requirements?.documents ?? []).map(({ name }) => name),
				})),
		})),
		ramps: state.records.rampTransfers.map((ramp) =>
			lodash.pick(ramp, 'id', 'status', 'origin_amount', 'origin_currency', 'origin_name'),
		),
		requests: latest(simulator.requests).map((request) => ({
			...lodash.pick(request, 'n', 'method', 'path', 'status', 'fault', 'replayed', 'bodyText'),
			key: request.headers['idempotency-key'],
			at: clock(request.at),
		})),
		troubles: TROUBLES.map(({ fault, ...trouble }) => ({ ...trouble, on: faults.has(fault) })),
	};
}

function companyView({ steps, targets, ...company }: Company) {
	return {
		...lodash.pick(company, 'n8n', 'people', 'workflows'),
		messages: latest(company.messages),
		mails: company.mails.map((mail, n) => ({ ...mail, n: n + 1 })).reverse(),
		targets: targets.map((target) => lodash.pick(target, 'name', 'url', 'events')),
		steps: steps.map((step) => ({
			...lodash.pick(step, 'name', 'title', 'text', 'button', 'shows', 'opens'),
			state: step.state(),
			result: step.result?.(),
			execution: step.execution(),
		})),
	};
}

interface Payment {
	operation: 'Transfer' | 'Ramp amount';
	from: string;
	to?: string;
	token?: string;
	amount: string;
	key?: string;
	asked: number;
	executed: number;
	/** Outcome of the execution; undefined without one. */
	result?: string;
	/** Status of the transfer's latest event. */
	event?: string;
	/** Status of the latest answer. */
	answer?: number;
	at: string;
	trace?: Trace;
}

const PAYMENT = /^\/mpc\/accounts\/[^/]+\/wallets\/([^/]+)\/transfer$/;
const RAMP = /^\/virtual-wallets\/ramps\/transfer\/([^/]+)$/;

/** Each payment once: what was asked for under one key, and how often it was executed. */
function payments({ requests, ledger, company, deliveries }: Simulator): Payment[] {
	const asked = requests.filter(
		({ method, path }) => method !== 'GET' && (PAYMENT.test(path) || RAMP.test(path)),
	);
	const groups = lodash.groupBy(asked, (request) => nameOf(request) ?? `request ${request.n}`);
	const found = Object.values(groups).map((same) => {
		const [first] = same as [RequestRecord];
		const key = first.headers['idempotency-key'];
		const rows = ledger.filter((row) => isOf(row, first, key));
		const body = parseJson(first.bodyText) ?? {};
		return {
			operation: PAYMENT.test(first.path) ? ('Transfer' as const) : ('Ramp amount' as const),
			from: (PAYMENT.exec(first.path) ?? RAMP.exec(first.path))![1]!,
			...lodash.pickBy({ to: body.to, token: body.token_address }),
			amount: rows[0]?.amountText ?? String(body.amount ?? ''),
			key,
			asked: same.length,
			executed: rows.filter(({ result }) => !UNMOVED.includes(result)).length,
			result: rows.length === 0 ? undefined : (rows[0]!.result ?? 'done'),
			event: eventOf(rows[0]?.transactionHash, deliveries),
			answer: same.at(-1)?.status,
			at: clock(first.at),
			trace: key === undefined ? undefined : company?.trace(key),
		};
	});
	return latest(found);
}

/** Results of transfers that have moved nothing, or not yet. */
const UNMOVED: ReadonlyArray<string | undefined> = ['FAILED', 'MANUAL_CHECK'];

/** Status of the latest event of a transfer. */
const eventOf = (hash: string | undefined, deliveries: Simulator['deliveries']) =>
	hash === undefined
		? undefined
		: deliveries.findLast(({ event }) => event.data.transaction_hash === hash)?.event.status;

const nameOf = ({ headers, path }: RequestRecord) =>
	headers['idempotency-key'] === undefined ? undefined : `${headers['idempotency-key']} ${path}`;

const isOf = (row: LedgerRow, request: RequestRecord, key: string | undefined) =>
	row.path === request.path &&
	(key === undefined ? row.body === request.bodyText : row.idempotencyKey === key);

const latest = <T,>(list: readonly T[]): T[] => list.slice(-SHOWN).reverse();

/** Time on the clock of `performance.now()` as ISO 8601. */
const clock = (at: number) => new Date(performance.timeOrigin + at).toISOString();
