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

$('person').onchange = () => memory.set('person', $('person').value);

export function drawInbox({ messages, mails, people }) {
	const persons = people.map(({ id, name }) => [id, name]);
	drawOptions($('person'), persons, memory.get('person'));
	draw($('messages'), messages, () => {
		if (messages.length === 0) return empty('No message yet.');
		const answersTo = ({ ts }) => messages.filter(({ thread }) => thread === ts).reverse();
		return messages
			.filter(({ thread }) => !thread)
			.map((message) => drawMessage(message, answersTo(message), people));
	});
	draw($('mails'), mails, () =>
		mails.length === 0 ? empty('No email yet.') : mails.map(drawMail),
	);
}

function drawMessage(message, answers, people) {
	const { ts, channel, isPrivate, at, text, updated } = message;
	const { buttons } = updated ?? message;
	const person = people.find(({ id }) => id === channel)?.name ?? channel;
	const textOf = (words) => h('div', { class: 'text' }, ...slackText(words, people));
	return h(
		'article',
		{ 'aria-label': `Message to ${channel}` },
		h(
			'header',
			{ class: 'row' },
			h('strong', {}, isPrivate ? `Only to ${person}` : channel),
			time(at),
		),
		// n8n replaces a question by its answer: what was asked stays readable here.
		textOf(text),
		updated ? h('blockquote', {}, textOf(updated.text)) : null,
		h('div', { class: 'row' }, ...buttons.map((each) => drawButton(ts, each))),
		...answers.map((answer) => h('blockquote', {}, time(answer.at), textOf(answer.text))),
	);
}

function drawButton(ts, { label, url }) {
	if (url) return link(url, label);
	const press = () => ask('POST', 'press', { ts, label, person: $('person').value });
	return button(label, press, { 'data-key': `${ts} ${label}` });
}

function drawMail({ to, subject, text, html, at }) {
	return h(
		'article',
		{ 'aria-label': `Email to ${to}: ${subject}` },
		h('header', { class: 'row' }, h('strong', {}, subject), time(at)),
		h('p', { class: 'hint' }, `To ${to}`),
		html
			? h('iframe', {
					title: subject,
					sandbox: 'allow-popups allow-popups-to-escape-sandbox',
					srcdoc: MAIL_HEAD + html,
				})
			: h('div', { class: 'text' }, ...linked(text)),
	);
}
