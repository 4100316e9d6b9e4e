import { judge } from '../../../../nodes/CardTreasury/request/classify.ts';
import { eventName, EVENTS } from '../../../../nodes/CardTreasuryTrigger/events/index.ts';
import { failureMessage } from './answered.mts';
import { fieldMessages, OPERATIONS, placesOf } from './entered.mts';
import type { Message } from './message.mts';
import { messageTables, rowsOf, type Table } from './tables.mts';
import { conditionLabels, dataIssues, ruleMessages } from './trigger.mts';

let tables: Table[];

// Thousands of bad inputs: on a busy machine they take more than a unit test's 5 seconds.
beforeAll(async () => void (tables = await messageTables()), 30_000);

describe('the list of messages has', () => {
	it.each(OPERATIONS)('at least one of each field of %s, that names it', async (name) => {
		const silent: string[] = [];
		for (const place of placesOf(name)) {
			const messages = await fieldMessages(name, place);
			if (!messages.some(({ field }) => field === place.label)) silent.push(place.label);
		}
		expect(silent).toEqual([]);
	});

	it('one of each condition of a rule', () => {
		const messages = ruleMessages();
		const silent = conditionLabels().filter(
			([, label]) => !messages.some(({ text }) => text.includes(`: ${label} `)),
		);
		expect(silent).toEqual([]);
	});

	it.each(EVENTS.map(eventName))('one of each field of the event %s', (name) => {
		expect(dataIssues(name).length).toBeGreaterThan(0);
	});

	it('one for each status that is no success, and for each operation, whatever its level', () => {
		const table = tables.find(({ heading }) => /answered$/.test(heading));
		const listed = table?.rows.map(([text, fix]) => withoutStatus({ text, fix }));
		const missing: string[] = [];
		for (let status = 300; status <= 599; status++) {
			for (const level of [1, 2] as const) {
				const attempt = { kind: 'response', status, headers: {}, body: Buffer.from('{}') } as const;
				const profile = { effect: 'read', answer: 'object', level } as const;
				expect(judge(attempt, profile).kind).toBe('failed');
				const text = withoutStatus(failureMessage(attempt, profile));
				if (!listed?.includes(text)) missing.push(`${status}: ${text}`);
			}
		}
		expect(missing).toEqual([]);
	});
});

const withoutStatus = ({ text, fix }: Message) => `${text.replace(/\d{3}/, '…')} | ${fix}`;

describe('every message', () => {
	/** Of bad translations, and of what n8n's rules for messages avoid. */
	const AVOIDED =
		/turned down|put right|held against|in vain|\bbeside\b|not a text|\bblank\b|letter case|happen twice|company portal|does not know this card|not known whether|undefined|\[native|\bnull\b|\berror\b|\bproblem\b/i;

	it('is said once, in words that a native speaker would use', () => {
		for (const { heading, rows } of tables) {
			expect(rows.length).toBeGreaterThan(0);
			// n8n's own setting is called so.
			const said = rows.map((row) => row.join(' ').replaceAll('On Error', ''));
			expect([heading, said.filter((row) => AVOIDED.test(row))]).toEqual([heading, []]);
			expect(new Set(rows.map((row) => row.join(' | '))).size).toBe(rows.length);
		}
	});

	it('of bad input says what to do', () => {
		const [entered] = tables;
		const silent = entered?.rows.filter(([, fix]) => !/^[A-Z].*\.$/.test(fix));
		expect(silent).toEqual([]);
	});
});

it('a message that several fields give is said for any field, one of a single field with its name', () => {
	const empty = (field: string): Message => ({
		text: `${field} is empty`,
		fix: `Enter the ${field}.`,
		field,
	});
	expect(rowsOf([empty('Card ID'), empty('Client ID')])).toEqual([
		['*Field* is empty', 'Enter the *Field*.'],
	]);
	expect(rowsOf([empty('Card ID'), empty('Card ID')])).toEqual([
		['Card ID is empty', 'Enter the Card ID.'],
	]);
});
