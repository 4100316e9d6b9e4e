import { executionLink, h, link, pill, small, table, time } from './view.js';

const short = (address = '') =>
	address.length > 14 ? `${address.slice(0, 8)}…${address.slice(-4)}` : address;
const number = (text, more = '') => h('span', { class: `number ${more}` }, text);

function codeIn(body) {
	try {
		return JSON.parse(body).response_code;
	} catch {
		return undefined;
	}
}

/** What became of an event, in words: for an authorization, who decided. */
function answerTo({ name, attempts, delivery, trace }) {
	const last = attempts.at(-1);
	if (!last) return 'On its way …';
	const ms = `${Math.round(last.ms)} ms`;
	if (last.error) return [pill(last.error, 'bad'), ` after ${ms}`];
	if (name !== 'cards.authorization' || last.status !== 200)
		return [
			delivery?.delivered ? pill('OK') : pill(last.status, 'bad'),
			` in ${ms}${delivery ? '' : `, attempt ${attempts.length}`}`,
		];
	const { outcome, source, rule } = trace?.decision ?? {};
	const byDefault = source === 'default' ? ' by the default decision' : '';
	const by = rule === undefined ? byDefault : ` by the rule “${rule}”`;
	const code = codeIn(last.body);
	return [
		outcome === 'asked' ? pill('asked') : null,
		' ',
		['00', 'SUCCESS'].includes(code)
			? pill('approved')
			: pill(code ? `declined (${code})` : 'no decision', 'bad'),
		`${outcome === 'asked' ? ', the workflow was asked' : ''}${by} in ${ms}`,
	];
}

function aboutEvent({ data, status }) {
	const { merchant_data: merchant, bill_amount, bill_currency_code } = data;
	const about = merchant
		? `${merchant.name}, ${bill_amount} ${bill_currency_code}`
		: (data.amount ?? data.card_id ?? data.id ?? '');
	return `${about} · ${status}`;
}

const outcomeOf = ({ result, answer, event }) =>
	result === undefined
		? pill(`not executed (${answer ?? 'no answer'})`, 'bad')
		: [pill(result), event ? ` event: ${event}` : ''];

/** Reference of a payment if an execution tells it, and the key by which the service knows the payment. */
const nameOf = ({ reference, key }) => [
	reference ? h('strong', {}, reference) : key ? 'not told by n8n' : 'without a key',
	key ? small(key, { class: 'small block', title: 'Idempotency key' }) : null,
];

const requestOf = ({ n, method, path, bodyText }) =>
	h(
		'details',
		{ 'data-key': `request ${n}` },
		h('summary', {}, `${method} ${path}`),
		h('pre', {}, bodyText || 'No body'),
	);

const execution = ({ trace }) => executionLink(trace?.execution);
const at = (row) => time(row.at);
const status = (row) => (row.status ? pill(row.status) : '');
const id = (row) => small(row.id);

/** Tables of the page by place: caption, columns, and text without rows. */
const TABLES = {
	workflows: [
		'Workflows',
		{ Workflow: ({ name, url }) => (url ? link(url, name) : name), 'What to do': 'about' },
		'None yet.',
	],
	deliveries: [
		'Deliveries',
		{
			'#': 'n',
			Event: ({ name }) => h('code', {}, name),
			About: ({ event }) => aboutEvent(event),
			Answer: answerTo,
			n8n: execution,
		},
		'Nothing has been sent yet.',
	],
	payments: [
		'Payments',
		{
			Time: at,
			Reference: nameOf,
			From: ({ from }) => number(from),
			To: ({ to }) => small(short(to), { class: 'small number', title: to }),
			Amount: ({ amount }) => number(amount),
			Outcome: outcomeOf,
			Asked: ({ asked }) => number(`${asked} ×`),
			'Money moved': ({ executed }) => number(`${executed} ×`, executed > 1 ? 'alarm' : ''),
			n8n: execution,
		},
		'No money has moved.',
	],
	ledger: [
		'Table of payments',
		{
			Reference: ({ reference }) => h('strong', {}, reference ?? ''),
			Amount: ({ amount }) => number(amount ?? ''),
			Outcome: ({ outcome }) => (outcome ? pill(outcome) : ''),
			Event: ({ confirmation }) => (confirmation ? pill(confirmation) : ''),
			Summary: 'summary',
		},
		'No row yet.',
	],
	wallets: [
		'Wallets',
		{
			'Account ID': 'account_id',
			'Wallet ID': 'id',
			Blockchain: 'blockchain',
			Address: ({ address }) => small(address),
			Token: ({ token }) => small(token),
			Decimals: 'decimals',
			'Holds, in smallest units': 'units',
		},
	],
	recipients: [
		'Recipients',
		{
			'A transfer to': ({ address }) => small(address),
			'ends with': ({ ending }) => pill(ending),
		},
	],
	cards: [
		'Cards',
		{
			Card: ({ last4 }) => `•••• ${last4}`,
			Holder: 'card_holder_name',
			Status: status,
			Kind: 'kind',
			'3DS': 'forwarded_3ds_type',
			ID: id,
		},
	],
	clients: [
		'Clients',
		{
			Client: 'client',
			Product: ({ product }) => product ?? '–',
			Status: status,
			Missing: ({ missing = [] }) => missing.join(', '),
		},
	],
	ramps: [
		'Ramps',
		{
			Ramp: 'id',
			From: 'origin_name',
			Amount: ({ origin_amount, origin_currency }) => `${origin_amount} ${origin_currency}`,
			Status: status,
		},
	],
	asked: [
		'Requests',
		{
			'#': 'n',
			Time: at,
			Request: requestOf,
			Answer: ({ status: code, fault, replayed }) => [
				pill(code ?? 'no answer', code ? undefined : 'bad'),
				fault ? ` fault: ${fault}` : '',
				replayed ? ' repeated answer' : '',
			],
			Key: ({ key }) => (key ? small(key) : ''),
		},
		'No request yet.',
	],
};

export const tableOf = (place) => (rows) => table(rows, ...TABLES[place]);
export const PLACES = Object.keys(TABLES);
