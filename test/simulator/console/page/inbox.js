import {
	$,
	ask,
	button,
	draw,
	drawOptions,
	empty,
	h,
	link,
	linked,
	memory,
	slackText,
	time,
} from './view.js';

/** Email styles and pictures come with the mail; nothing is loaded and no script runs. */
const MAIL_HEAD =
	'<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; img-src data:"><base target="_blank"><style>body{font:15px/1.5 system-ui,sans-serif;margin:12px;color:#1d2433}</style>';

let company = { messages: [], mails: [], people: [] };

for (const id of ['person', 'mail-form'])
	$(id).onchange = () => {
		memory.set(id, $(id).value);
		drawInbox(company);
	};
const MAIL_FORMS = [
	['html', 'as designed'],
	['text', 'as text'],
];
drawOptions($('mail-form'), MAIL_FORMS, memory.get('mail-form'));

const personOf = (name) => company.people.find(({ id }) => id === name);

export function drawInbox(shown) {
	company = shown;
	const { messages, mails, people } = company;
	drawOptions(
		$('person'),
		people.map(({ id, name }) => [id, name]),
		memory.get('person'),
	);
	draw($('messages'), messages, () =>
		messages.length === 0
			? empty('No message yet.')
			: messages
					.filter(({ thread }) => !thread)
					.map((message) =>
						drawMessage(message, messages.filter(({ thread }) => thread === message.ts).reverse()),
					),
	);
	draw($('mails'), [mails, $('mail-form').value], () =>
		mails.length === 0 ? empty('No email yet.') : mails.map(drawMail),
	);
}

function drawMessage(message, answers) {
	const { ts, channel, isPrivate, at, text, updated } = message;
	const { buttons } = updated ?? message;
	const textOf = (words) => h('div', { class: 'text' }, ...slackText(words, company.people));
	return h(
		'article',
		{ class: 'card', 'aria-label': `Message to ${channel}` },
		h(
			'header',
			{ class: 'row' },
			h('strong', {}, isPrivate ? `Only to ${personOf(channel)?.name ?? channel}` : channel),
			time(at),
		),
		// n8n replaces a question by its answer: what was asked stays readable here.
		textOf(text),
		updated ? h('div', { class: 'thread' }, textOf(updated.text)) : null,
		h('div', { class: 'row' }, ...buttons.map((each) => drawButton(ts, each))),
		...answers.map((answer) => h('div', { class: 'thread' }, time(answer.at), textOf(answer.text))),
	);
}

function drawButton(ts, { label, url }) {
	if (url) return link(url, label);
	const press = () => ask('POST', 'press', { ts, label, person: $('person').value });
	return button(label, press, { 'data-key': `${ts} ${label}` });
}

function drawMail({ to, subject, text, html, at }) {
	const asHtml = $('mail-form').value === 'html' && html !== undefined;
	return h(
		'article',
		{ class: 'card', 'aria-label': `Email to ${to}: ${subject}` },
		h('header', { class: 'row' }, h('strong', {}, subject), time(at)),
		h('p', { class: 'hint' }, `To ${to}`),
		asHtml
			? h('iframe', {
					title: subject,
					sandbox: 'allow-popups allow-popups-to-escape-sandbox',
					srcdoc: MAIL_HEAD + html,
				})
			: h('div', { class: 'text' }, ...linked(text || textIn(html ?? ''))),
	);
}

const textIn = (html) =>
	new DOMParser().parseFromString(html.replace(/<br\s*\/?>|<\/p>/g, '$&\n'), 'text/html').body
		.textContent;
