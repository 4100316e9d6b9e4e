// Building blocks of the page. Texts become text nodes, never HTML.

export const $ = (id) => document.getElementById(id);

/** Creates an element: `h('a', { href }, 'text', child)`; null children are left out. */
export function h(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes))
		if (name.startsWith('on')) element[name] = value;
		else if (value) element.setAttribute(name, value);
	element.append(...children.flat().filter((child) => ![null, undefined].includes(child)));
	return element;
}

// Labels get their selects: those of a form by name, others by ID.
for (const label of document.querySelectorAll('[data-select]')) {
	const name = label.dataset.select;
	label.append(' ', h('select', label.closest('form') ? { name } : { id: name }));
}

export const time = (at) =>
	h('time', { datetime: at, title: at }, new Date(at).toLocaleTimeString('en', { hour12: false }));

const TONES = {
	good: 'ACTIVE SUCCESS COMPLETED enabled approved done OK success 200',
	bad: 'BLOCKED FAILED DELETED EXPIRED rejected declined failed CANCELLED',
	wait: 'PENDING PROCESSING MANUAL_CHECK WARNING FROZEN pending requested in_kyc pending_documentation asked waiting running 302',
};

export const pill = (text, tone = toneOf(String(text))) =>
	h('span', { class: `pill ${tone}` }, String(text));

const toneOf = (text) =>
	Object.keys(TONES).find((tone) => TONES[tone].split(' ').includes(text)) ??
	(/^[45]\d\d$/.test(text) ? 'bad' : '');

export const small = (text, attributes = {}) => h('code', { class: 'small', ...attributes }, text);
export const empty = (text) => h('p', { class: 'empty' }, text);

export const link = (href, text, attributes = {}) =>
	h('a', { href, target: '_blank', rel: 'noopener', ...attributes }, text);

/** Link to an execution in n8n, whose URL ends with its number. */
export const executionLink = (url) =>
	url ? link(url, `Open execution ${url.split('/').at(-1)} in n8n`) : null;

export const linked = (text) =>
	text
		.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/)
		.map((part, index) => (index % 2 ? link(part, part) : part));

const EMOJI = { white_check_mark: '✅', x: '❌', warning: '⚠️' };

/** Text in Slack's markup: `*bold*`, `<url|label>`, `<@user>`, `:emoji:` and links. */
export function slackText(text, people) {
	const parts = text
		.replace(/:(\w+):/g, (name, known) => EMOJI[known] ?? name)
		.split(/(\*[^*\n]+\*|<[^>\s]+(?:\|[^>]+)?>)/);
	return parts.flatMap((part, index) => {
		if (index % 2 === 0) return linked(part);
		if (part.startsWith('*')) return h('strong', {}, part.slice(1, -1));
		const [target, label = target] = part.slice(1, -1).split('|');
		if (/^https?:/.test(target)) return link(target, label);
		const person = people.find(({ id }) => target === `@${id}`);
		return person ? h('strong', {}, `@${person.name}`) : part;
	});
}

/** Table in a region with its name; `none` is shown without rows. A column is a field or a function of the row. */
export function table(rows, caption, columns, none = '') {
	if (rows.length === 0) return empty(none);
	const head = Object.keys(columns).map((column) => h('th', { scope: 'col' }, column));
	const textOf = (row, column) => (typeof column === 'string' ? row[column] : column(row));
	const cells = (row) => Object.values(columns).map((each) => h('td', {}, textOf(row, each)));
	return h(
		'div',
		{ class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
		h(
			'table',
			{},
			h('thead', {}, h('tr', {}, head)),
			h('tbody', {}, ...rows.map((row) => h('tr', {}, cells(row)))),
		),
	);
}

/** Replaces the content of an element if its data has changed, and keeps the focus and what was opened. */
export function draw(place, data, build) {
	const version = JSON.stringify(data) ?? '';
	if (place.version === version) return;
	place.version = version;
	const focused = place.contains(document.activeElement) && document.activeElement.dataset.key;
	const open = [...place.querySelectorAll('details[open]')].map(({ dataset }) => dataset.key);
	place.replaceChildren(...[build(data)].flat());
	for (const details of place.querySelectorAll('details'))
		details.open = open.includes(details.dataset.key);
	if (!focused) return;
	// A pressed button may be gone: the reader stays in its list.
	place.tabIndex = -1;
	(place.querySelector(`[data-key="${CSS.escape(focused)}"]`) ?? place).focus();
}

/** Options of a select, which keeps its choice, or takes the one that was remembered. */
export function drawOptions(select, options, remembered, fallback = options[0]?.[0]) {
	const chosen = select.value || remembered;
	draw(select, options, () =>
		options.map(([value, label = value]) => h('option', { value }, label)),
	);
	select.value = options.some(([value]) => value === chosen) ? chosen : fallback;
}

/** What this browser tab remembers over a reload. */
export const memory = {
	get: (name) => JSON.parse(sessionStorage.getItem(name) ?? 'null'),
	set: (name, value) => sessionStorage.setItem(name, JSON.stringify(value)),
};

/** Asks the simulator. @throws Error that says why it refused */
export async function ask(method, name, body) {
	const answer = await fetch(`/_simulator/${name}`, {
		method,
		...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
	});
	const value = await answer.json();
	if (!answer.ok) throw new Error(value.message ?? `Answered ${answer.status}`);
	return value;
}

/** Button that does its work, once at a time. */
export const button = (label, work, attributes = {}) =>
	h(
		'button',
		{
			...{ type: 'button', class: 'outline', ...attributes },
			onclick: ({ currentTarget }) => act(currentTarget, work),
		},
		label,
	);

/** Does what a button says. */
export async function act(button, work) {
	// A disabled button would lose the focus.
	if (button.ariaDisabled === 'true') return;
	$('problem').textContent = '';
	button.ariaDisabled = 'true';
	try {
		await work();
		dispatchEvent(new Event('acted'));
	} catch (error) {
		$('problem').textContent = error.message;
	} finally {
		button.ariaDisabled = null;
	}
}
