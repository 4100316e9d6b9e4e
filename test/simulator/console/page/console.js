import { drawForms, setUpForms } from './forms.js';
import { drawInbox } from './inbox.js';
import { PLACES, tableOf } from './tables.js';
import { $, act, ask, button, draw, executionLink, h, link, memory, pill } from './view.js';

const TABS = {
	start: 'First steps',
	events: 'Events',
	inbox: 'Inbox',
	money: 'Money and cards',
	requests: 'Requests',
	trouble: 'Trouble',
};

let now;

const shown = () => (location.hash.slice(1) in TABS ? location.hash.slice(1) : 'start');

function showTab() {
	for (const name of Object.keys(TABS)) $(name).hidden = name !== shown();
	for (const tab of $('tabs').querySelectorAll('a'))
		tab.ariaCurrent = tab.hash === `#${shown()}` ? 'page' : null;
	document.title = `${TABS[shown()]} · Card Treasury console`;
}

const BADGE = { class: 'badge', role: 'status', hidden: 'hidden' };
for (const [name, label] of Object.entries(TABS)) {
	const badge = h('span', { ...BADGE, id: `badge-${name}` });
	$('tabs').append(h('li', {}, h('a', { href: `#${name}` }, label, badge)));
}
// Each tab begins at its top, also after a reload.
history.scrollRestoration = 'manual';
addEventListener('hashchange', () => {
	showTab();
	if (now) drawBadges();
	$('content').focus({ preventScroll: true });
	scrollTo(0, 0);
});

/** Shows a text in a place, which is hidden without one. */
function drawText(place, text) {
	$(place).hidden = text === '';
	if ($(place).textContent !== text) $(place).textContent = text;
}

/** Shows on every tab what is unread, and that a trouble is on. */
function drawBadges() {
	const { messages = [], mails = [] } = now.company ?? {};
	const count = messages.length + mails.length;
	if (shown() === 'inbox') memory.set('read', count);
	const unread = count - Math.min(count, memory.get('read') ?? 0);
	drawText('badge-inbox', unread > 0 ? `${unread} new` : '');
	const on = now.troubles.filter((trouble) => trouble.on);
	drawText('badge-trouble', on.length > 0 ? `${on.length} on` : '');
	drawText('notice', now.waitsFor ?? on.map(({ label, help }) => `${label}: ${help}`).join(' '));
}

const ALONE =
	'The simulator runs alone. With “npm start” n8n, its workflows, Slack and email appear here.';

function drawSteps([steps, waitsFor]) {
	if (!steps) return h('li', { class: 'card' }, waitsFor ? 'The steps appear here.' : ALONE);
	// The button to press next: the answer to an open question goes before a step that was never run.
	const next = steps.some(({ state }) => state === 'waiting') ? 'waiting' : 'open';
	return steps.map((step, index) => {
		const { name, title, text, button: label, shows, opens, state, result, execution } = step;
		const run = async () => {
			await ask('POST', 'step', { name });
			if (opens) location.hash = shows;
		};
		return h(
			'li',
			{ class: `card step ${state}` },
			h('h3', {}, `${index + 1}. ${title}`),
			h('p', {}, text),
			button(label, run, { class: state === next ? 'primary' : 'outline', 'data-key': name }),
			h(
				'div',
				{ class: 'row' },
				h('a', { href: `#${shows}`, 'data-key': `${name} result` }, TABS[shows]),
				executionLink(execution),
				state === 'open' ? null : pill(state),
				result ? h('span', {}, result) : null,
			),
		);
	});
}

const drawTroubles = (troubles) =>
	troubles.map(({ name, label, help, on }) => {
		const onchange = ({ currentTarget }) =>
			act(currentTarget, () => ask('POST', 'trouble', { name, on: !on }));
		const checked = on && 'checked';
		return h(
			'label',
			{ class: 'card' },
			h('input', { type: 'checkbox', role: 'switch', 'data-key': name, checked, onchange }),
			h('strong', {}, ` ${label}`),
			h('span', { class: 'hint block' }, help),
		);
	});

$('reset').onclick = ({ currentTarget }) => act(currentTarget, () => ask('POST', 'reset'));

const drawLinks = (n8n) =>
	n8n
		? [
				link(`${n8n.url}/home/workflows`, 'Open n8n'),
				h('span', { class: 'hint' }, `${n8n.email} · ${n8n.password}`),
			]
		: [];

async function refresh() {
	const isFirst = now === undefined;
	now = await ask('GET', 'console');
	const { company } = now;
	draw($('links'), company?.n8n, drawLinks);
	draw($('steps'), [company?.steps, now.waitsFor], drawSteps);
	for (const place of PLACES) draw($(place), now[place] ?? company?.[place] ?? [], tableOf(place));
	draw($('troubles'), now.troubles, drawTroubles);
	drawForms(now.targets, now.cards);
	drawInbox(company ?? { messages: [], mails: [], people: [] });
	drawBadges();
	// Nothing is shown before it is filled.
	if (isFirst) showTab();
}

addEventListener('acted', () => void refresh());

/** Asks every second; the page is for one person on the same machine. */
async function follow() {
	await refresh().then(
		() => ($('connection').textContent = ''),
		() => ($('connection').textContent = 'The simulator does not answer. Is it running?'),
	);
	setTimeout(follow, 1_000);
}

await setUpForms();
await follow();
