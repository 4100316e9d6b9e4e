// Forms of the tab Events. They keep what was typed over a reload.
import { $, act, ask, button, drawOptions, h, memory } from './view.js';

const EXAMPLES = {
	'Books 52.35': ['Coffee & Books', '5942', 'ESP', '52.35', 'USD'],
	'Casino 80': ['Lucky Casino', '7995', 'MLT', '80.00', 'USD'],
	'Laptop 480': ['Laptop Store', '5732', 'DEU', '480.00', 'USD'],
};
const PURCHASE = ['merchant', 'mcc', 'country', 'amount', 'currency'];
const purchase = $('purchase');
const event = $('event');
let samples = [];
let targets = [];
let cards = [];

const changedIn = (form) =>
	[...form.elements].filter(({ name, value, defaultValue }) => name && value !== defaultValue);

function keep(form) {
	const saved = memory.get(form.id) ?? {};
	for (const field of form.elements) if (field.name in saved) field.value = saved[field.name];
	form.oninput = () =>
		memory.set(
			form.id,
			Object.fromEntries(changedIn(form).map(({ name, value }) => [name, value])),
		);
}

$('presets').append(
	...Object.entries(EXAMPLES).map(([label, values]) =>
		button(label, () => {
			PURCHASE.forEach((name, at) => (purchase.elements[name].value = values[at]));
			purchase.oninput();
		}),
	),
);

/** Sends an event when the form is submitted. @param overridesOf returns changes of the sample by their path */
function onSubmit(form, eventOf, overridesOf) {
	form.onsubmit = (submit) => {
		submit.preventDefault();
		void act(submit.submitter, async () => {
			const target = form.elements.target.value;
			await ask('POST', 'send', { event: eventOf(), overrides: overridesOf(), target });
		});
	};
}

onSubmit(
	purchase,
	() => 'cards.authorization',
	() => {
		const [name, mcc_code, country, amount, currency] = PURCHASE.map(
			(field) => purchase.elements[field].value,
		);
		const bill = { bill_amount: amount, bill_currency_code: currency };
		const transaction = { transaction_amount: amount, transaction_currency_code: currency };
		const card_id = purchase.elements.card.value;
		return {
			data: { ...bill, ...transaction, card_id, merchant_data: { name, mcc_code, country } },
		};
	},
);

/** Leaves of a record as `[path, value]`; lists count as leaves. */
const leaves = (value, path = '') =>
	value !== null && typeof value === 'object' && !Array.isArray(value)
		? Object.entries(value).flatMap(([name, below]) =>
				leaves(below, path ? `${path}.${name}` : name),
			)
		: [[path, value]];

function drawFields() {
	const { sample } = samples.find(({ name }) => name === event.elements.event.value);
	const fields = leaves(sample).filter(([path]) => !['product', 'event_type'].includes(path));
	$('event-fields').replaceChildren(
		...fields.map(([path, value]) => {
			const isText = typeof value === 'string';
			const shown = isText ? value : JSON.stringify(value);
			const form = isText ? 'text' : 'json';
			return h('label', {}, path, h('input', { name: path, 'data-form': form, value: shown }));
		}),
	);
}

onSubmit(
	event,
	() => event.elements.event.value,
	// An unchanged field stays the sample's own, so that IDs and times are fresh.
	() =>
		Object.fromEntries(
			changedIn(event)
				.filter(({ dataset }) => dataset.form)
				.map(({ name, value, dataset }) => [
					name,
					dataset.form === 'text' ? value : JSON.parse(value),
				]),
		),
);

/** Reads the samples, and restores what was typed. */
export async function setUpForms() {
	samples = await ask('GET', 'samples');
	const { elements } = event;
	elements.event.replaceChildren(...samples.map(({ name }) => h('option', { value: name }, name)));
	elements.event.value = memory.get('event')?.event ?? samples[0].name;
	drawFields();
	for (const form of [purchase, event]) keep(form);
	elements.event.onchange = () => {
		drawFields();
		elements.target.value = '';
		event.oninput();
		drawForms(targets, cards);
	};
}

/** Offers cards, and recipients of events: a workflow that the user publishes is one. Without any, nothing can be sent. */
export function drawForms(offered, held) {
	targets = offered;
	cards = held;
	const nameOf = ({ last4, card_holder_name: holder }) => `•••• ${last4} ${holder}`;
	const choices = cards.map((card) => [card.id, nameOf(card)]);
	drawOptions(purchase.elements.card, choices, memory.get('purchase')?.card);
	for (const form of [purchase, event]) {
		const name = form.elements.event?.value ?? 'cards.authorization';
		const own = targets.find(({ events = [] }) => events.includes(name)) ?? targets[0];
		drawOptions(
			form.elements.target,
			targets.map((target) => [target.name]),
			memory.get(form.id)?.target,
			own?.name,
		);
		form.querySelector('.primary').disabled = targets.length === 0;
	}
}
