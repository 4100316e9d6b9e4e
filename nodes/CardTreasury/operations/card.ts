import type { IDataObject } from 'n8n-workflow';

import { harmless, shortened, textOf } from '../../shared/text';
import { cardId, choice, flag } from '../fields/kinds';
import { isEmpty } from '../fields/values';
import { path, type ServiceRequest } from '../service/request';
import { operation, unknownCard } from './operation';
import { asItem, documented, objectIn } from './reply';

const errors = [unknownCard];

const ofCard = (id: string | undefined) => id && `card ${shortened(id, 60)}`;

export const get = operation({
	name: 'Get',
	action: 'Get card',
	description: 'Get an individual card with its status and limits',
	effect: 'read',
	level: 1,
	fields: {
		cardId: cardId('ID of an individual card'),
		simplify: flag(
			'Simplify',
			'Whether to return a simplified version of the response instead of the raw data',
			true,
		),
	},
	errors,
	request: ({ cardId: id }) => ({ method: 'GET', path: path`/cards/individual-cards/${id}` }),
	output: (reply, { simplify }) => {
		const card = objectIn(reply) as IDataObject;
		return { items: [simplify ? simplified(card) : asItem(card)] };
	},
});

/** Operation that changes the state of a card. Any successful reply means that it had its effect. */
const change = (
	[name, description]: [string, string],
	state: { frozen: boolean } | { unblocked: true },
	of: string,
	request: (id: string) => ServiceRequest,
	level?: 2,
) =>
	operation({
		name,
		action: `${name} card`,
		description,
		effect: 'set',
		level,
		fields: { cardId: cardId(of) },
		errors,
		request: ({ cardId: id }) => request(id),
		subject: ({ cardId: id }) => ({ card_id: id, [Object.keys(state)[0]!]: null }),
		say: ({ cardId: id }) => id && `${name.toLowerCase()} ${ofCard(id)}`,
		output: (reply) => ({ items: [{ ...state, ...documented(reply).rest }] }),
	});

/** Freeze and Unfreeze use one endpoint (§4.7). */
const setFrozen = (texts: [string, string], frozen: boolean) => {
	const request = (id: string): ServiceRequest => ({
		method: 'PATCH',
		path: path`/cards/individual-cards/${id}/frozen`,
		body: { freeze: frozen },
	});
	return change(texts, { frozen }, 'ID of an individual card', request, 2);
};

export const freeze = setFrozen(
	['Freeze', 'Lock an individual card so that it cannot authorize transactions'],
	true,
);

export const unfreeze = setFrozen(
	['Unfreeze', 'Let a frozen individual card authorize transactions again'],
	false,
);

export const unblock = change(
	['Unblock', 'Unblock a card that a velocity rule blocked, and reset its velocity counter'],
	{ unblocked: true },
	'ID of a blocked card: data.card_id in the event',
	(id) => ({ method: 'PATCH', path: path`/api/cards/${id}/unblock` }),
);

export const configure3ds = operation({
	name: 'Configure 3DS',
	action: 'Configure 3DS for card',
	description: 'Choose how 3DS challenge codes are delivered',
	effect: 'set',
	level: 2,
	fields: {
		cardId: cardId('ID of a virtual card'),
		type: choice('Deliver Codes By', {
			sms: { name: 'SMS', description: 'To the card holder by text message' },
			webhook: {
				name: 'Webhook',
				description: 'To your trigger, as notification_3ds_authorization',
			},
		}),
	},
	errors,
	request: ({ cardId: id, type }) => ({
		method: 'POST',
		path: path`/cards/virtual-cards/${id}/3ds-configuration`,
		body: { type },
	}),
	subject: ({ cardId: id }) => ({ card_id: id, type: null }),
	// The reply repeats the configured type (§4.8).
	say: ({ cardId: id, type }, item = {}) =>
		id && type && `3DS codes by ${textOf(item.type ?? type)} for ${ofCard(id)}`,
	output: (reply) => {
		const { json, rest } = documented(reply, 'type');
		return { items: [{ type: json.type ?? null, ...rest }] };
	},
});

const FIELDS =
	'id client_id type status last4 card_holder_name expiration daily_limit weekly_limit monthly_limit';

/** Card with the fields that people look for. */
function simplified(card: IDataObject): IDataObject {
	const { expiration_month: month, expiration_year: year } = card;
	const expiration = month && year ? `${textOf(month).padStart(2, '0')}/${textOf(year)}` : null;
	const full: IDataObject = { ...card, expiration };
	const shown = Object.fromEntries(FIELDS.split(' ').map((name) => [name, full[name] ?? null]));
	return { summary: summaryOf(full), ...shown };
}

/** E.g. "Card •1234 of Ann Lee is ACTIVE, expires 03/2029, limits 100 USD a day". */
function summaryOf(card: IDataObject): string {
	const text = (name: string, before = '', after = '') =>
		isEmpty(card[name]) ? '' : `${before}${shortened(textOf(card[name]), 40)}${after}`;
	const limits = ['day', 'week', 'month']
		.map((time) => text(time === 'day' ? 'daily_limit' : `${time}ly_limit`, '', ` USD a ${time}`))
		.filter(Boolean);
	const parts = [
		`Card ${text('last4', '•') || text('id')}${text('card_holder_name', ' of ')} ${text('status', 'is ') || 'has no status'}`,
		text('expiration', 'expires '),
		limits.length > 0 && `limits ${limits.join(', ')}`,
	];
	return harmless(parts.filter(Boolean).join(', '));
}
