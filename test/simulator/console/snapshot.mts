import lodash from 'lodash';

import type { LedgerRow, RequestRecord } from '../books.mts';
import { UNMOVED } from '../endpoints.mts';
import { eventName } from '../events.mts';
import { MAGIC_RECIPIENTS } from '../ids.mts';
import { parseJson } from '../parseJson.mts';
import { cardStatus } from '../seed.mts';
import type { Simulator } from '../server.mts';
import type { Company, Target } from './company.mts';
import { TROUBLES } from './troubles.mts';

/** Any other recipient than the magic ones succeeds: one to copy, with its checksum. */
const GOOD_RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const SHOWN = 200;

export function targetsOf({ company, events }: Simulator): readonly Target[] {
	if (company) return company.targets;
	return events.subscription ? [{ ...events.subscription, name: events.subscription.url }] : [];
}

/** Everything that the page shows, newest first. Lists are named as their tables. */
export function snapshot(simulator: Simulator) {
	const { company, state, faults, waitsFor } = simulator;
	const { wallets, holdings, cards, clients, productRequests, rampTransfers } = state.records;
	return {
		...(waitsFor !== undefined && { waitsFor }),
		company: company && companyView(company),
		targets: targetsOf(simulator).map((target) => lodash.pick(target, 'name', 'url', 'events')),
		deliveries: latest(simulator.deliveries).map((record) => ({
			...record,
			name: eventName(record.event),
			trace: company?.trace(record.attempts.at(-1)?.traceId ?? ''),
		})),
		payments: payments(simulator),
		wallets: wallets.map((wallet) => ({
			...wallet,
			...lodash.find(holdings, { address: wallet.address }),
		})),
		recipients: Object.entries({ SUCCESS: GOOD_RECIPIENT, ...MAGIC_RECIPIENTS }).map(
			([ending, address]) => ({ ending, address }),
		),
		cards: cards.map((card) => ({ ...card, status: cardStatus(card) })),
		clients: clients.flatMap((client) => {
			const own = productRequests.filter(({ client_id }) => client_id === client);
			if (own.length === 0) return [{ client }];
			return own.map(({ product, status, missing_requirements: missing }) => ({
				...{ client, product, status },
				missing: lodash.map([missing?.documents ?? [], missing?.data ?? []].flat(), 'name'),
			}));
		}),
		ramps: rampTransfers,
		asked: latest(simulator.requests).map((request) => ({
			...lodash.omit(request, 'headers'),
			key: request.headers['idempotency-key'],
		})),
		troubles: TROUBLES.map(({ fault, ...trouble }) => ({ ...trouble, on: faults.has(fault) })),
	};
}

const companyView = (company: Company) => ({
	...lodash.pick(company, 'n8n', 'people', 'workflows'),
	messages: latest(company.messages),
	ledger: latest(company.ledger()),
	mails: company.mails.map((mail, n) => ({ ...mail, n: n + 1 })).reverse(),
	steps: company.steps.map((step) => ({
		...lodash.pick(step, 'name', 'title', 'text', 'button', 'shows', 'opens'),
		state: step.state(),
		result: step.result?.(),
		execution: step.execution?.(),
	})),
});

/** Path of a payment, with the wallet or ramp that it comes from. */
const PAYMENT =
	/^\/(?:mpc\/accounts\/[^/]+\/wallets\/([^/]+)\/transfer|virtual-wallets\/ramps\/transfer\/([^/]+))$/;

const isMoved = ({ operation, result }: LedgerRow) =>
	operation === 'wallet.transfer' && !UNMOVED.includes(result);

/**
 * Each payment once: what was asked for under one key, how often it was executed, and with which result. The service
 * never gets its reference, which an execution may tell.
 */
function payments({ requests, ledger, company, deliveries }: Simulator) {
	const asked = requests.filter(({ method, path }) => method !== 'GET' && PAYMENT.test(path));
	const nameOf = ({ headers, path, n }: RequestRecord) =>
		`${headers['idempotency-key'] ?? `request ${n}`} ${path}`;
	const executions = lodash.groupBy(ledger, 'request');
	return latest(Object.values(lodash.groupBy(asked, nameOf))).map((same) => {
		const [first] = same as [RequestRecord];
		const { path, headers } = first;
		const key = headers['idempotency-key'];
		const body = parseJson(first.bodyText) ?? {};
		const rows = same.flatMap(({ n }) => executions[n] ?? []);
		const [{ amountText, result, transactionHash: hash } = {} as Partial<LedgerRow>] = rows;
		const trace = key && company?.trace(key);
		const event = hash && deliveries.findLast((each) => each.event.data.transaction_hash === hash);
		return {
			...{ key, at: first.at, asked: same.length },
			...(rows.length > 0 && { result: result ?? 'done' }),
			...(trace && { trace, reference: trace.reference }),
			...lodash.pickBy({ to: body.to, token: body.token_address }),
			from: PAYMENT.exec(path)!.slice(1).find(Boolean)!,
			amount: amountText ?? String(body.amount ?? ''),
			executed: rows.filter(isMoved).length,
			...(event && { event: event.event.status }),
			answer: same.at(-1)?.status,
		};
	});
}

const latest = <Row,>(rows: readonly Row[]): Row[] => rows.slice(-SHOWN).reverse();
