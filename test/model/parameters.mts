import type { ExecutionData } from './fakeN8n.mts';
import type { Row, Setup } from './history.mts';

/** Item of a node's input, or call of an agent. */
export interface Item extends Row {
	/** Unique among the items of its execution. */
	name: string;
	index: number;
	row: number;
	amount: number;
}

/** True if the user's corrections apply to the item. */
const concerns = ({ only }: Setup, { index }: Item) => only === undefined || only === index;

export const isBad = (setup: Setup, item: Item) =>
	item.bad === true && !(setup.repaired && concerns(setup, item));

export const amountOf = (setup: Setup, item: Item): number =>
	item.amount + (concerns(setup, item) ? (setup.amountPlus ?? 0) : 0);

export const movesMoney = ({ kind = 'transfer' }: Setup) => kind === 'transfer' || kind === 'sweep';

/** Reference of the payment; undefined if nothing names the write. */
export function referenceOf(
	setup: Setup,
	item: Item,
	{ made = '', attempt = '', establishedAt }: ExecutionData,
): string | undefined {
	const { kind, naming = 'data', referenceVersion = 0 } = setup;
	if (kind === 'request') return undefined;
	const version = referenceVersion > 0 && concerns(setup, item) ? `-v${referenceVersion}` : '';
	const { row, reference = row } = item;
	if (naming === 'day' && kind !== 'keyed request')
		return `${new Date(establishedAt).toISOString().slice(0, 10)} row ${row}`;
	if (naming === 'everyTry' || (naming === 'oddEveryTry' && row % 2 === 1))
		return `T-${attempt}-${item.name}${version}`;
	if (naming === 'anew') return `X-${made}-${item.name}${version}`;
	return `INV-${naming === 'shared' ? Math.floor(reference / 2) : reference}${version}`;
}

/** Values of the payment, as in the request. */
export const valuesOf = (setup: Setup, item: Item): string =>
	`${pathOf(setup, item)} ${amountOf(setup, item)}`;

export function pathOf(setup: Setup, { row, name }: Item): string {
	if (movesMoney(setup)) return `/mpc/accounts/account/wallets/w${row}/transfer`;
	return setup.kind === 'request' ? `/echo/${row}-${name}` : `/echo/${row}`;
}

/** Parameters of the node for one item, as n8n returns them. */
export function parametersFor(
	setup: Setup,
	item: Item,
	data: ExecutionData,
): Record<string, unknown> {
	const amount = amountOf(setup, item);
	const reference = referenceOf(setup, item, data);
	const options = { maxAttempts: setup.attempts ?? 1, ...(setup.dryRun && { dryRun: true }) };
	if (!movesMoney(setup)) {
		return {
			resource: 'endpoint',
			operation: 'request',
			method: 'POST',
			path: isBad(setup, item) ? 'no path' : pathOf(setup, item),
			queryParameters: {},
			jsonBody: JSON.stringify({ amount }),
			options: { ...options, ...(reference !== undefined && { idempotencyKey: reference }) },
		};
	}
	const { maximumAmount = 1_000, maximumTotal, maximumTransfers, onlyInEnvironment } = setup;
	return {
		resource: 'wallet',
		operation: 'transfer',
		accountId: 'account',
		walletId: `w${item.row}`,
		tokenAddress: { __rl: true, mode: 'list', value: 'native' },
		to: isBad(setup, item) ? '0xbad ' : `0x${String(item.row + 1).padStart(40, 'f')}`,
		...(setup.kind === 'sweep'
			? { amountMode: 'aboveFloor', balance: String(5 + amount), floor: '5' }
			: { amountMode: 'fixed', amount: String(amount) }),
		...(setup.naming === 'day'
			? { referenceFrom: 'oncePerDay' }
			: { referenceFrom: 'data', paymentReference: reference }),
		maximumAmount: String(maximumAmount),
		options: {
			...options,
			allowMissingChecksum: true,
			...(maximumTotal !== undefined && { maximumTotal: String(maximumTotal) }),
			...(maximumTransfers !== undefined && { maximumTransfers }),
			...(onlyInEnvironment && { onlyInEnvironment }),
		},
	};
}
