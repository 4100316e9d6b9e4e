import {
	draw,
	executionLink,
	h,
	leaves,
	link,
	linked,
	pill,
	setAt,
	slackText,
	table,
	time,
} from './view.js';

const TABS = {
	start: 'First steps',
	events: 'Events',
	inbox: 'Inbox',
	money: 'Money and cards',
	requests: 'Requests',
	trouble: 'Trouble',
};
const $ = (id) => document.getElementById(id);

/** What this browser tab remembers over a reload. */
const memory = {
	get: (name) => JSON.parse(sessionStorage.getItem(name) ?? 'null'),
	set: (name, value) => sessionStorage.setItem(name, JSON.stringify(value)),
};

/** Asks the simulator, and shows why it refused. */
async function ask(method, name, body) {
	const answer = await fetch(`/_simulator/${name}`, {
		method,
		...(body && {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}),
	});
	const value = await answer.json();
	if (!answer.ok) throw new Error(value.message ?? `Answered ${answer.status}`);
	return value;
}

/** Does what a button says, once at a time. */
async function act(button, work) {
	// A disabled button would lose the focus.
	if (button.ariaDisabled === 'true') return;
	$('problem').textContent = '';
	button.ariaDisabled = 'true';
	try {
		await work();
		await refresh();
	} catch (error) {
		$('problem').textContent = error.message;
	} finally {
		button.ariaDisabled = null;
	}
}

// Tabs

function shown() {
	const name = location.hash.slice(1);
	return name in TABS ? name : 'start';
}

function showTab() {
	for (const name of Object.keys(TABS)) $(name).hidden = name !== shown();
	for (const tab of $('tabs').querySelectorAll('a'))
		if (tab.hash.slice(1) === shown()) tab.setAttribute('aria-current', 'page');
		else tab.removeAttribute('aria-current');
	document.title = `${TABS[shown()]} · Card Treasury console`;
	if (shown() === 'inbox') markRead();
}

$('tabs').append(
	...Object.entries(TABS).map(([name, label]) =>
		h(
			'li',
			{},
			h(
				'a',
				{ href: `#${name}` },
				label,
				h('span', { class: 'badge', id: `badge-${name}`, hidden: true }),
			),
		),
	),
);
addEventListener('hashchange', () => {
	showTab();
	$('content').focus();
});

// Forms keep what was typed over a reload.

function keep(form) {
	const saved = memory.get(form.id) ?? {};
	for (const field of form.elements) if (field.name in saved) field.value = saved[field.name];
	form.addEventListener('input', () => {
		const changed = [...form.elements].filter(
			({ name, value, defaultValue }) => name && value !== defaultValue,
		);
		memory.set(form.id, Object.fromEntries(changed.map(({ name, value }) => [name, value])));
	});
}

function keepChoice(select, fallback) {
	select.value = memory.get(select.id) ?? fallback ?? select.options[0]?.value;
	if (select.selectedIndex < 0) select.selectedIndex = 0;
	select.onchange = () => {
		memory.set(select.id, select.value);
		drawInbox();
	};
}

const options = (select, names) =>
	select.replaceChildren(...names.map(([value, label = value]) => h('option', { value }, label)));

// Events

const EXAMPLES = {
	'Bookshop, 52.35': ['Coffee & Books', '5942', 'ESP', '52.35', 'USD'],
	'Casino, 80': ['Lucky Casino', '7995', 'MLT', '80.00', 'USD'],
	'Laptop, 480': ['Laptop Store', '5732', 'DEU', '480.00', 'USD'],
};
const PURCHASE = ['merchant', 'mcc', 'country', 'amount', 'currency'];
const purchase = $('purchase');
$('presets').append(
	...Object.entries(EXAMPLES).map(([label, values]) =>
		h(
			'button',
			{
				type: 'button',
				class: 'quiet',
				onclick: () => {
					PURCHASE.forEach((name, at) => (purchase.elements[name].value = values[at]));
					purchase.dispatchEvent(new Event('input'));
				},
			},
			label,
		),
	),
);
keep(purchase);
purchase.addEventListener('submit', (event) => {
	event.preventDefault();
	const { merchant, mcc, country, amount, currency } = Object.fromEntries(new FormData(purchase));
	const data = {
		bill_amount: amount,
		bill_currency_code: currency,
		transaction_amount: amount,
		transaction_currency_code: currency,
		merchant_data: { name: merchant, mcc_code: mcc, country },
	};
	const target = targetOf('cards.authorization');
	void act(event.submitter, () =>
		ask('POST', 'send', { event: 'cards.authorization', overrides: { data }, target }),
	);
});

let samples = [];
const eventForm = $('event');

function drawFields() {
	const { sample } = samples.find(({ name }) => name === $('event-name').value);
	const fields = leaves(sample).filter(([path]) => !['product', 'event_type'].includes(path));
	$('event-fields').replaceChildren(
		...fields.map(([path, value]) =>
			h(
				'label',
				{},
				path,
				h('input', {
					name: `field ${path}`,
					'data-type': typeof value === 'string' ? 'text' : 'json',
					value: typeof value === 'string' ? value : JSON.stringify(value),
				}),
			),
		),
	);
}

$('event-name').addEventListener('change', () => {
	drawFields();
	$('event-target').value = targetOf($('event-name').value) ?? '';
	eventForm.dispatchEvent(new Event('input'));
});
eventForm.addEventListener('submit', (event) => {
	event.preventDefault();
	void act(event.submitter, async () => {
		const overrides = {};
		for (const field of $('event-fields').querySelectorAll('input')) {
			// An unchanged field stays the sample's own, so that IDs and times are fresh.
			if (field.value === field.defaultValue) continue;
			const isText = field.dataset.type === 'text';
			setAt(overrides, field.name.slice(6), isText ? field.value : JSON.parse(field.value));
		}
		await ask('POST', 'send', {
			event: $('event-name').value,
			overrides,
			target: $('event-target').value || undefined,
		});
	});
});

const targetOf = (event) =>
	now.company?.targets.find((target) => (target.events ?? []).includes(event))?.name ??
	now.company?.targets[0]?.name;

/** What became of an authorization or another event, in words. */
function resultOf({ answers, ended, delivered, trace, name }) {
	const last = answers.at(-1);
	if (!last) return 'On its way …';
	const ms = `${Math.round(last.ms)} ms`;
	if (last.error) return [pill(last.error, 'bad'), ` after ${ms}`];
	let code;
	try {
		code = JSON.parse(last.body).response_code;
	} catch {}
	if (name !== 'cards.authorization' || last.status !== 200)
		return [
			pill(delivered ? 'OK' : last.status, delivered ? 'good' : 'bad'),
			` in ${ms}`,
			ended ? null : `, attempt ${answers.length}`,
		];
	const { decision } = trace ?? {};
	const by =
		decision?.rule !== undefined
			? ` by the rule “${decision.rule}”`
			: decision?.source === 'default'
				? ' by the default decision'
				: '';
	return [
		decision?.outcome === 'asked' || decision?.source === 'workflow' ? [pill('asked'), ' '] : null,
		code === '00' ? pill('approved') : pill(`declined (${code})`, 'bad'),
		decision?.outcome === 'asked' ? ` by the workflow, asked${by}` : by,
		` in ${ms}`,
	].flat();
}

function drawDeliveries(deliveries) {
	return table(
		'Deliveries',
		['#', 'Event', 'About', 'Answer', 'n8n'],
		deliveries.map((delivery) => [
			String(delivery.n),
			h('code', {}, delivery.name),
			aboutEvent(delivery),
			h('span', {}, ...[resultOf(delivery)].flat().filter(Boolean)),
			delivery.trace ? executionLink(delivery.trace.execution) : '',
		]),
		'Nothing has been sent yet.',
	);
}

function aboutEvent({ event }) {
	const {
		merchant_data: merchant,
		bill_amount,
		bill_currency_code,
		amount,
		card_id,
		id,
	} = event.data;
	const about = merchant
		? `${merchant.name}, ${bill_amount} ${bill_currency_code}`
		: (amount ?? card_id ?? id ?? '');
	return `${about} · ${event.status}`;
}

// First steps

function drawSteps(steps) {
	if (steps === undefined) {
		return h(
			'p',
			{ class: 'empty' },
			'The simulator runs alone. With “npm start” n8n, its workflows, Slack and email appear here.',
		);
	}
	// The button to press next: the answer to an open question goes before a step that was never run.
	const next = steps.some(({ state }) => state === 'waiting') ? 'waiting' : 'open';
	return h(
		'ol',
		{ class: 'steps' },
		...steps.map((step) =>
			h(
				'li',
				{ class: `card step ${step.state}` },
				h('h3', {}, step.title),
				h('p', {}, step.text),
				h(
					'button',
					{
						type: 'button',
						class: step.state === next ? 'primary' : '',
						'data-key': step.name,
						onclick: ({ currentTarget }) =>
							act(currentTarget, async () => {
								await ask('POST', 'step', { name: step.name });
								if (step.opens) location.hash = step.shows;
							}),
					},
					step.button,
				),
				h(
					'div',
					{ class: 'row' },
					h('a', { href: `#${step.shows}`, 'data-key': `${step.name} result` }, TABS[step.shows]),
					step.execution ? executionLink(step.execution) : null,
					step.state === 'open' ? null : pill(step.state),
					step.result ?? null,
				),
			),
		),
	);
}

// Inbox

let now = {};

const buttonsOf = (message) => (message.updated ?? message).buttons;

function drawInbox() {
	const { messages, mails } = now.company ?? { messages: [], mails: [] };
	const channel = $('channel').value;
	const chosen = messages.filter(
		(message) => message.thread === undefined && (channel === '' || message.channel === channel),
	);
	draw('messages', [chosen, messages.filter(({ thread }) => thread)], ([roots, answers]) =>
		roots.length === 0
			? h('p', { class: 'empty' }, 'No message yet.')
			: roots.map((message) =>
					drawMessage(message, answers.filter(({ thread }) => thread === message.ts).reverse()),
				),
	);
	draw('mails', [mails, $('mail-form').value], () =>
		mails.length === 0 ? h('p', { class: 'empty' }, 'No email yet.') : mails.map(drawMail),
	);
}

function drawMessage(message, answers) {
	const person = now.company.people.find(({ id }) => id === message.channel);
	return h(
		'article',
		{ class: 'card message', 'aria-label': `Message to ${message.channel}` },
		h(
			'header',
			{ class: 'row' },
			h(
				'strong',
				{},
				message.isPrivate ? `Only to ${person?.name ?? message.channel}` : message.channel,
			),
			time(message.at),
		),
		h(
			'div',
			{ class: 'text' },
			...slackText((message.updated ?? message).text, now.company.people),
		),
		h(
			'div',
			{ class: 'row' },
			...buttonsOf(message).map(({ label, url }) =>
				url
					? link(url, label, { class: 'button' })
					: h(
							'button',
							{
								type: 'button',
								'data-key': `${message.ts} ${label}`,
								onclick: ({ currentTarget }) => act(currentTarget, () => press(message.ts, label)),
							},
							label,
						),
			),
		),
		...answers.map((answer) =>
			h(
				'div',
				{ class: 'thread' },
				time(answer.at),
				h('div', { class: 'text' }, ...slackText(answer.text, now.company.people)),
			),
		),
	);
}

const press = (ts, label) => ask('POST', 'press', { ts, label, person: $('person').value });

/** Email styles and pictures come with the mail; nothing is loaded and no script runs. */
const MAIL_HEAD =
	'<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; img-src data:"><base target="_blank"><style>body{font:15px/1.5 system-ui,sans-serif;margin:12px;color:#1d2433}</style>';

function drawMail(mail) {
	const asHtml = $('mail-form').value === 'html' && mail.html !== undefined;
	return h(
		'article',
		{ class: 'card message', 'aria-label': `Email to ${mail.to}: ${mail.subject}` },
		h('header', { class: 'row' }, h('strong', {}, mail.subject), time(mail.at)),
		h('p', { class: 'hint' }, `To ${mail.to}`),
		asHtml
			? h('iframe', {
					title: mail.subject,
					sandbox: 'allow-popups allow-popups-to-escape-sandbox',
					srcdoc: MAIL_HEAD + mail.html,
				})
			: h('div', { class: 'text' }, ...linked(mail.text || textOf(mail.html ?? ''))),
	);
}

const textOf = (html) =>
	new DOMParser().parseFromString(html.replace(/<br\s*\/?>|<\/p>/g, '$&\n'), 'text/html').body
		.textContent;

const count = () => (now.company ? now.company.messages.length + now.company.mails.length : 0);

function markRead() {
	memory.set('read', count());
	drawBadge();
}

function drawBadge() {
	const unread = Math.max(0, count() - (memory.get('read') ?? 0));
	const badge = $('badge-inbox');
	badge.hidden = unread === 0;
	if (badge.textContent !== `${unread} new`) badge.textContent = `${unread} new`;
}

// Money and cards

const drawPayments = (payments) =>
	table(
		'Payments',
		['Time', 'Payment', 'From', 'To', 'Amount', 'Outcome', 'Asked', 'Money moved', 'n8n'],
		payments.map((payment) => [
			time(payment.at),
			h(
				'div',
				{},
				h('strong', {}, payment.trace?.reference ?? (payment.key ? '' : 'without a key')),
				payment.key ? h('code', { class: 'small', title: 'Idempotency key' }, payment.key) : null,
			),
			h('span', { class: 'number' }, payment.from),
			h('code', { class: 'small', title: payment.to }, short(payment.to ?? '')),
			h('span', { class: 'number' }, payment.amount),
			payment.result === undefined
				? pill(`not executed (${payment.answer ?? 'no answer'})`, 'bad')
				: h('span', {}, pill(payment.result), payment.event ? ` event: ${payment.event}` : ''),
			h('span', { class: 'number' }, `${payment.asked} ×`),
			h(
				'span',
				{ class: `number ${payment.executed > 1 ? 'alarm' : ''}` },
				`${payment.executed} ×`,
			),
			payment.trace ? executionLink(payment.trace.execution) : '',
		]),
		'No money has moved.',
	);

const drawWallets = (wallets) =>
	table(
		'Wallets',
		['Account ID', 'Wallet ID', 'Blockchain'],
		wallets.map((wallet) => [wallet.account_id, wallet.id, wallet.blockchain]),
		'',
	);

const drawRecipients = (recipients) =>
	table(
		'Recipients',
		['A transfer to', 'ends with'],
		recipients.map(({ ending, address }) => [h('code', { class: 'small' }, address), pill(ending)]),
		'',
	);

const short = (address) =>
	address.length > 14 ? `${address.slice(0, 8)}…${address.slice(-4)}` : address;

const drawCards = (cards) =>
	table(
		'Cards',
		['Card', 'Holder', 'Status', 'Kind', '3DS', 'ID'],
		cards.map((card) => [
			`•••• ${card.last4}`,
			card.card_holder_name,
			pill(card.status),
			card.kind,
			card.forwarded_3ds_type,
			h('code', { class: 'small' }, card.id),
		]),
		'',
	);

const drawClients = (clients) =>
	table(
		'Clients',
		['Client', 'Product', 'Status', 'Missing'],
		clients.flatMap(({ id, requests }) =>
			requests.length === 0
				? [[id, '–', '', '']]
				: requests.map(({ product, status, missing }) => [
						id,
						product,
						pill(status),
						missing.join(', '),
					]),
		),
		'',
	);

const drawRamps = (ramps) =>
	table(
		'Ramps',
		['Ramp', 'From', 'Amount', 'Status'],
		ramps.map((ramp) => [
			ramp.id,
			ramp.origin_name,
			`${ramp.origin_amount} ${ramp.origin_currency}`,
			pill(ramp.status),
		]),
		'',
	);

const drawChanges = (changes) =>
	table(
		'Other changes',
		['Time', 'What', 'Path'],
		changes.map(({ at, operation, path }) => [
			time(at),
			operation,
			h('code', { class: 'small' }, path),
		]),
		'Nothing has been changed.',
	);

// Requests and trouble

const drawRequests = (requests) =>
	table(
		'Requests',
		['#', 'Time', 'Request', 'Answer', 'Key'],
		requests.map((request) => [
			String(request.n),
			time(request.at),
			h(
				'details',
				{ 'data-key': `request ${request.n}` },
				h('summary', {}, `${request.method} ${request.path}`),
				h('pre', {}, request.bodyText || 'No body'),
			),
			h(
				'span',
				{},
				pill(request.status ?? 'no answer', request.status ? undefined : 'bad'),
				request.fault ? ` fault: ${request.fault}` : '',
				request.replayed ? ' repeated answer' : '',
			),
			h('code', { class: 'small' }, request.key ?? ''),
		]),
		'No request yet.',
	);

const drawTroubles = (troubles) =>
	troubles.map(({ name, label, help, on }) =>
		h(
			'div',
			{ class: 'card switch' },
			h(
				'button',
				{
					type: 'button',
					role: 'switch',
					'aria-checked': String(on),
					'aria-labelledby': `trouble-${name}`,
					'aria-describedby': `trouble-${name}-help`,
					'data-key': name,
					onclick: ({ currentTarget }) =>
						act(currentTarget, () => ask('POST', 'trouble', { name, on: !on })),
				},
				h('span', { class: 'knob' }),
			),
			h(
				'div',
				{},
				h('strong', { id: `trouble-${name}` }, label),
				h('p', { class: 'hint', id: `trouble-${name}-help` }, help),
			),
		),
	);

/** Shows on every tab that a trouble is on. */
function drawTroubleBadge() {
	const on = now.troubles.filter((trouble) => trouble.on).length;
	const badge = $('badge-trouble');
	badge.hidden = on === 0;
	if (badge.textContent !== `${on} on`) badge.textContent = `${on} on`;
}

$('reset').addEventListener('click', ({ currentTarget }) =>
	act(currentTarget, () => ask('POST', 'reset')),
);

// Updates

let isSetUp = false;

function setUp({ company, service }) {
	if (isSetUp || !company) return;
	isSetUp = true;
	options(
		$('person'),
		company.people.map(({ id, name }) => [id, name]),
	);
	keepChoice($('person'));
	$('links').replaceChildren(
		link(`${company.n8n.url}/home/workflows`, 'Open n8n', { class: 'button' }),
		h('span', { class: 'hint' }, `${company.n8n.email} · ${company.n8n.password}`),
	);
	draw('workflows', company.workflows, (workflows) =>
		table(
			'Workflows',
			['Workflow', 'What to do'],
			workflows.map(({ name, url, about }) => [link(url, name), about]),
			'',
		),
	);
}

/** Recipients of events; a workflow that the user publishes becomes one. */
function drawTargets() {
	const names = (now.company?.targets ?? []).map(({ name }) => name);
	const chosen = $('event-target').value || memory.get('event')?.target;
	draw('event-target', names, () => names.map((value) => h('option', { value }, value)));
	if ($('event-target').value === chosen) return;
	$('event-target').value = names.includes(chosen) ? chosen : targetOf($('event-name').value);
}

function drawChannels() {
	const names = [...new Set((now.company?.messages ?? []).map(({ channel }) => channel))].sort();
	draw('channel', names, () => [
		h('option', { value: '' }, 'all'),
		...names.map((value) => {
			const person = now.company.people.find(({ id }) => id === value);
			return h('option', { value }, person ? `only to ${person.name}` : value);
		}),
	]);
	keepChoice($('channel'), '');
}

function announce(before) {
	if (!before.company) return;
	const [message] = now.company.messages;
	if (message && message.ts !== before.company.messages[0]?.ts)
		$('announcer').textContent = `New message in ${message.channel}`;
	const [mail] = now.company.mails;
	if (mail && mail.n !== before.company.mails[0]?.n)
		$('announcer').textContent = `New email to ${mail.to}`;
}

async function refresh() {
	const before = now;
	now = await ask('GET', 'console');
	setUp(now);
	draw('steps', now.company?.steps, drawSteps);
	draw('deliveries', now.deliveries, drawDeliveries);
	drawTargets();
	drawChannels();
	drawInbox();
	if (shown() === 'inbox') markRead();
	drawBadge();
	draw('payments', now.payments, drawPayments);
	draw('wallets', now.wallets, drawWallets);
	draw('recipients', now.recipients, drawRecipients);
	draw('cards', now.cards, drawCards);
	draw('clients', now.clients, drawClients);
	draw('ramps', now.ramps, drawRamps);
	draw('changes', now.changes, drawChanges);
	draw('request-list', now.requests, drawRequests);
	draw('troubles', now.troubles, drawTroubles);
	drawTroubleBadge();
	announce(before);
}

/** Asks every second; the page is for one person on the same machine. */
async function follow() {
	await refresh().then(
		() => ($('connection').textContent = ''),
		() => ($('connection').textContent = 'The simulator does not answer. Is it running?'),
	);
	setTimeout(follow, 1_000);
}

keepChoice($('mail-form'), 'html');
samples = await ask('GET', 'samples');
options(
	$('event-name'),
	samples.map(({ name }) => [name]),
);
$('event-name').value = memory.get('event')?.event ?? samples[0].name;
drawFields();
keep(eventForm);
showTab();
await follow();
