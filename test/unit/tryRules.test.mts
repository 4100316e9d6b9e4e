import { sampleEvent } from '../simulator/index.mts';
import { anyOperation, calculated } from './reading.mts';

const NAME = 'authorization: tryRules';

/** 52.35 USD, MCC 5942, ESP, Coffee & Books, POS. */
const { data } = sampleEvent('cards.authorization');
const rule = (name: string, decision: string, conditions: object, more = {}) => ({
	...{ name, decision, conditions, ...more },
});
const gambling = rule('No gambling', 'decline', { merchantTypes: ['gambling'] });
const books = rule('No books', 'other', { mccCodes: '5942' }, { responseCode: '57' });
const small = rule('Small', 'approve', { amountTo: '60', currencies: 'USD' });
const ask = rule('Unknown shop', 'ask', { merchantCountries: 'ESP' });

/** The item that these rules make of the purchase, or the refusal. */
async function tried(rule: unknown[], more: object = {}) {
	const rulesOf = { events: ['cards.authorization'], rules: { rule } };
	return await calculated(NAME, { rulesOf, purchase: data, answeredThen: '', ...more });
}

const ABOUT = '52.35 USD at Coffee & Books with card ca4d0000-0000-4000-8000-000000000001';

it.each<[summary: string, changes: unknown, rules: unknown[], answeredThen: string]>([
	['Would be approved (00) by the rule "Small", was declined (05)', true, [small], '05'],
	['Would be approved (00) by the rule "Small", was approved (00)', false, [small], '00'],
	['Would be declined (57) by the rule "No books", was declined (05)', true, [books, small], '05'],
	['Would be declined (05), was approved (00)', true, [gambling], '00'],
	['Would be declined (05)', null, [], ''],
	['Would ask the workflow by the rule "Unknown shop", was approved (00)', null, [ask], '00'],
])('%s', async (summary, changes, rules, answeredThen) => {
	const item = await tried(rules, { answeredThen });
	expect(item).toMatchObject({ summary: `${summary}: ${ABOUT}`, changes });
});

it('purchases and rules that cannot be read are told', async () => {
	const given = { purchase: JSON.stringify({ card_id: 'c-1' }) };
	expect(await tried([small], given)).toMatchObject({
		summary: 'Would be declined (05), unreadable for the rule "Small": ? ? at ? with card c-1',
		decision: { outcome: 'declined', source: 'unreadable', rule: 'Small' },
	});
	const typo = rule('Typo', 'decline', { mccCodes: '79' });
	expect(await tried([typo])).toBe(
		'Rules Of cannot be read | Rule "Typo": MCC Codes holds "79". Enter codes of four digits, or ranges such as 6010-6012, separated by commas.',
	);
});

it('the hint of the run counts what would change, and what the rules decide', () => {
	const item = (outcome: string, then: string | null, changes: boolean | null) => ({
		...{ decision: { outcome }, answered_then: then, changes },
	});
	const declined = item('declined', '00', true);
	const items = [
		...[declined, declined, item('approved', '05', true), item('declined', '05', true)],
		...[item('approved', '00', false), item('asked', '00', null), item('approved', null, null)],
	];
	const { tell } = anyOperation(NAME) as { tell(items: object[]): string };
	expect(tell(items)).toBe(
		'4 of 7 purchases would be decided differently: 2 declined that were approved, 1 approved that were declined and 1 declined with another code. In all, 3 declined, 3 approved and 1 asked. What the workflow would answer to those asked is not known (before: 1 approved).',
	);
	expect(tell([item('approved', '00', false)])).toBe(
		'None of 1 purchases would be decided differently. In all, 1 approved.',
	);
	expect(tell([item('asked', null, null)])).toBe('In all, 1 asked.');
});
