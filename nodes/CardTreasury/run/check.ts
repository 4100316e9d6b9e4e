/** Checks of all items together, before the first one is sent. */

import { addDecimals, compareDecimals } from '../../shared/decimal';
import { Problem } from '../../shared/problem';
import { listOf } from '../../shared/text';
import { groupsBy, type Item } from './item';
import { failed } from './result';
import { unhurried } from './unhurried';

/** Items that must not be sent, and why. */
type Against = [group: Item[], message: string, fix: string];

/** Refuses payments that contradict each other, except those that this run has sent. */
export async function checkTogether(items: Item[]): Promise<void> {
	for await (const check of unhurried([oneReference, alike, equal, tooMany, total])) {
		const fine = items.filter(({ result, work }) => work?.payment && !result?.problem);
		for (const [group, message, fix] of check(fine))
			for (const item of group)
				if (!item.work!.isAnswered) item.result = failed(new Problem(message, fix));
	}
}

/** E.g. "items 2 and 3". Counted from 1, as people count. */
const numbersOf = (items: Item[]) => `items ${listOf(items.map(({ index }) => String(index + 1)))}`;

const severalBy = (items: Item[], textOf: (item: Item) => string): Item[][] =>
	groupsBy(items, textOf).filter(({ length }) => length > 1);

const paymentOf = ({ work }: Item) => work!.payment!;
const referenceOf = (item: Item) => paymentOf(item).reference;
/** Recipient, token and amount, whatever the account and the wallet are. */
const whatGoes = (item: Item) => paymentOf(item).values.slice(2);

function oneReference(items: Item[]): Against[] {
	return severalBy(items, referenceOf).map((group) => {
		const isOne = new Set(group.map(({ work }) => work?.names?.fingerprint)).size === 1;
		const reference = referenceOf(group[0]!);
		return isOne
			? [group, `${reference} is in the list twice (${numbersOf(group)})`, 'Remove one.']
			: [
					group,
					`${reference} names two payments (${numbersOf(group)})`,
					'Give each payment the reference that your own data has for it.',
				];
	});
}

/** A reference without what people and exports vary: letter case, quotes, a final `.0`, leading zeros. */
const inOneWay = (reference: string) =>
	reference
		.toLowerCase()
		.replace(/[`\p{QMark}]/gu, '')
		.replace(/\.0+$/, '')
		.replace(/(?<!\d)0+(?=\d)/g, '');

function alike(items: Item[]): Against[] {
	// IDs of two recipients may differ in letter case alone.
	const nameOf = (item: Item) => `${whatGoes(item)[0]} ${inOneWay(referenceOf(item))}`;
	return severalBy(items, nameOf).map((group) => [
		group,
		`${listOf(group.map(referenceOf))} may be one payment (${numbersOf(group)})`,
		'Remove one, or spell them so that they differ in more.',
	]);
}

function equal(items: Item[]): Against[] {
	const strict = items.filter((item) => paymentOf(item).allowEqual !== true);
	return severalBy(strict, (item) => whatGoes(item).join(' ')).map((group) => [
		group,
		`${listOf(group.map(referenceOf))} pay the same (${numbersOf(group)})`,
		'Remove one, or turn on Allow Equal Payments.',
	]);
}

/** A run must not need all the room that n8n has for the notes of a node. */
const MOST_PAYMENTS = 5_000;

function tooMany(items: Item[]): Against[] {
	const message = `This run has ${items.length} payments, and at most ${MOST_PAYMENTS} are possible`;
	return items.length > MOST_PAYMENTS ? [[items, message, 'Split them before this node.']] : [];
}

function total(items: Item[]): Against[] {
	const sum = items.reduce((all, item) => addDecimals(all, paymentOf(item).amount), '0');
	const limitOf = (item: Item) => paymentOf(item).maximumTotal ?? sum;
	return groupsBy(items, limitOf).flatMap((group): Against[] => {
		const maximumTotal = limitOf(group[0]!);
		const message = `The amounts add up to ${sum}, above the Maximum Total of ${maximumTotal}`;
		const fix = 'Check where they come from. Raise Maximum Total only if it is intended.';
		return compareDecimals(sum, maximumTotal) > 0 ? [[group, message, fix]] : [];
	});
}
