import type { Call, Setup } from './history.mts';

/** One item of a node's input, or one call of an agent. */
export interface Item {
	/** Names the work among that of the node; of an agent's calls, what is asked for. */
	tag: string;
	batch: number;
	round: number;
	index: number;
	/** Items of one sweep share it. */
	wallet: string;
	amount: number;
	/** What an agent gives as key. */
	key?: string;
}

interface Moment {
	nodeName: string;
	executionId: string | undefined;
	/** Milliseconds since 1970. */
	date: number;
	isTool: boolean;
}

/** The node's parameters for one item, expressions resolved, as n8n gives them. */
export function parametersFor(setup: Setup, item: Item, moment: Moment): Record<string, unknown> {
	return { ...fieldsFor(setup, item, moment), options: optionsFor(setup, item, moment) };
}

/** As the workflow stores them. What an agent fills in is an expression. */
export function rawParameters(setup: Setup, item: Item, moment: Moment): Record<string, unknown> {
	const parameters = parametersFor(setup, item, moment);
	if (setup.key !== 'agent') return parameters;
	const options = { ...(parameters.options as object), idempotencyKey: "={{ $fromAI('key') }}" };
	return { ...parameters, options };
}

function fieldsFor(setup: Setup, item: Item, moment: Moment): Record<string, unknown> {
	const amount = amountOf(setup, item, moment);
	switch (setup.kind ?? 'transfer') {
		case 'transfer':
			return { ...transfer(setup, item), amountMode: 'fixed', amount };
		case 'sweep':
			return {
				...transfer(setup, item),
				amountMode: 'aboveFloor',
				balance: `${5 + Number(amount)}`,
				floor: '5',
			};
		case 'freeze':
		case 'unfreeze':
			return { resource: 'card', operation: setup.kind, cardId: `card-${item.tag}` };
		case 'request':
			return {
				resource: 'endpoint',
				operation: 'request',
				method: 'POST',
				path: `/echo/${item.tag}`,
				queryParameters: {},
				jsonBody: JSON.stringify({ amount: Number(amount) }),
			};
	}
}

const transfer = ({ maximumAmount = 999_999_999 }: Setup, item: Item) => ({
	resource: 'wallet',
	operation: 'transfer',
	accountId: 'account',
	walletId: item.wallet,
	tokenAddress: { __rl: true, mode: 'list', value: 'native' },
	to: addressOf(item.tag),
	referenceFrom: 'data',
	paymentReference: item.tag,
	maximumAmount: String(maximumAmount),
});

/** A recipient that tells which work it belongs to. */
const addressOf = (tag: string) => `0x${Buffer.from(tag).toString('hex').padStart(40, 'f')}`;

/** The work that a request is for, by its recipient, card or path. */
export function tagOf(path: string, body: string): string {
	const { to } = JSON.parse(body || '{}') as { to?: string };
	if (to !== undefined) return Buffer.from(to.replace(/^0xf*/, ''), 'hex').toString();
	return path.replace(/^.*card-|^\/echo\//, '').replace('/frozen', '');
}

function amountOf(
	{ valueVersion = 0, fromClock }: Setup,
	item: Item,
	{ date, isTool }: Moment,
): string {
	// What an agent asks for does not depend on the clock.
	const fraction = fromClock && !isTool ? Math.floor(date / 1_000) % 100_000 : 0;
	return String(item.amount + valueVersion + fraction / 1_000_000);
}

function optionsFor(setup: Setup, item: Item, moment: Moment): Record<string, unknown> {
	const key = ownKey(setup, item, moment);
	const moves = setup.kind === undefined || setup.kind === 'transfer' || setup.kind === 'sweep';
	const isKeyed = setup.kind !== 'sweep' || !moment.isTool;
	return {
		maxAttempts: setup.attempts ?? 1,
		...(key !== undefined && isKeyed && { idempotencyKey: key }),
		...(setup.dryRun && { dryRun: true }),
		...(moves && {
			allowMissingChecksum: true,
			...(setup.maximumTotal !== undefined && { maximumTotal: String(setup.maximumTotal) }),
			...(setup.maximumTransfers !== undefined && { maximumTransfers: setup.maximumTransfers }),
			...(setup.onlyInEnvironment && { onlyInEnvironment: setup.onlyInEnvironment }),
		}),
	};
}

/** The user's own key; undefined where the node derives one. */
export function ownKey(
	{ key, keyVersion = 0 }: Setup,
	{ batch, round, index, key: agentKey }: Item,
	{ nodeName, executionId, date }: Pick<Moment, 'nodeName' | 'executionId' | 'date'>,
): string | undefined {
	const version = keyVersion === 0 ? '' : `-v${keyVersion}`;
	const work = `b${batch}-r${round}-i${index}${version}`;
	switch (key) {
		case undefined:
			return undefined;
		case 'payment':
			return `${nodeName}-${work}`;
		case 'day':
			return `${nodeName}-${work}-${new Date(date).toISOString().slice(0, 10)}`;
		case 'execution':
			return `${nodeName}-${work}-${executionId ?? 'none'}`;
		case 'round':
			return `${nodeName}-b${batch}-i${index}${version}`;
		case 'node':
			return work;
		case 'agent':
			return agentKey ?? 'key-0';
	}
}

/** What an agent asks for, as the item of a call. */
export function itemOfCall({ to = 0, amount = 1, key = 0 }: Call): Item {
	return {
		tag: `a${to}`,
		batch: 0,
		round: 0,
		index: 0,
		wallet: 'wallet-a',
		amount,
		key: `invoice-${key}`,
	};
}
