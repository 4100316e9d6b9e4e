// Building blocks of the page. Texts become text nodes, never HTML.

/** Creates an element: `h('a', { href }, 'text', child)`; null children are left out. */
export function h(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
		else if (value === true) element.setAttribute(name, '');
		else if (value !== undefined && value !== null && value !== false)
			element.setAttribute(name, value);
	}
	element.append(...children.flat().filter((child) => child !== null && child !== undefined));
	return element;
}

export const time = (at) => {
	const shown = new Date(at).toLocaleTimeString('en', { hour12: false });
	return h('time', { datetime: at, title: at }, shown);
};

const TONES = {
	good: 'ACTIVE SUCCESS COMPLETED enabled approved done executed OK success 200',
	bad: 'BLOCKED FAILED DELETED EXPIRED rejected declined failed CANCELLED 400 401 403 404 409 412 429 500 502 503 504',
	wait: 'PENDING PROCESSING MANUAL_CHECK WARNING FROZEN pending requested in_kyc pending_documentation asked waiting 302',
};

/** Coloured word for a status. */
export function pill(text, tone = toneOf(text)) {
	return h('span', { class: `pill ${tone}` }, String(text));
}

const toneOf = (text) =>
	Object.keys(TONES).find((tone) => TONES[tone].split(' ').includes(String(text))) ?? 'plain';

/** Link that opens in another tab. */
export const link = (href, text, attributes = {}) =>
	h('a', { href, target: '_blank', rel: 'noopener', ...attributes }, text);

/** Link to an execution in n8n, whose URL ends with its number. */
export const executionLink = (url) => link(url, `Open execution ${url.split('/').at(-1)} in n8n`);

/** Text with its links. */
export function linked(text) {
	return text
		.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/)
		.map((part, index) => (index % 2 ? link(part, part) : part));
}

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

/** Table with a caption for screen readers; `empty` is shown without rows. */
export function table(caption, columns, rows, empty) {
	if (rows.length === 0) return h('p', { class: 'empty' }, empty);
	const head = columns.map((column) => h('th', { scope: 'col' }, column));
	const body = rows.map((cells) => h('tr', {}, ...cells.map((cell) => h('td', {}, cell))));
	return h(
		'div',
		{ class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
		h(
			'table',
			{},
			h('caption', { class: 'hidden' }, caption),
			h('thead', {}, h('tr', {}, ...head)),
			h('tbody', {}, ...body),
		),
	);
}

/** Replaces the content of an element if its data has changed, and keeps the focus and what was opened. */
export function draw(id, data, build) {
	const place = document.getElementById(id);
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

/** Leaves of a record as `[path, value]`; lists count as leaves. */
export const leaves = (value, path = '') =>
	value !== null && typeof value === 'object' && !Array.isArray(value)
		? Object.entries(value).flatMap(([name, below]) =>
				leaves(below, path ? `${path}.${name}` : name),
			)
		: [[path, value]];

/** Sets the value at a path, such as `data.amount`. */
export function setAt(record, path, value) {
	const names = path.split('.');
	const last = names.pop();
	let place = record;
	for (const name of names) place = place[name] ??= {};
	place[last] = value;
}
