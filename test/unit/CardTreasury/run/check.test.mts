import { checkTogether } from '../../../../nodes/CardTreasury/run/check.ts';
import { OTHER_RECIPIENT, RECIPIENT } from '../../../harness/fixtures.mts';
import { memoryOf, prepared, runOf, valuesOf } from './items.mts';

/** Values of payments such as `5 INV-1; 5 INV-2 to=other`. */
const payments = (text: string) =>
	text.split('; ').map((payment) => {
		const [amount = '', reference = '', ...more] = payment.split(' ');
		return valuesOf(amount, reference, Object.assign({}, ...more.map((name) => MORE[name])));
	});
const MORE: Record<string, object> = {
	'to=other': { to: OTHER_RECIPIENT },
	'to=lower': { to: RECIPIENT.toLowerCase() },
	'token=other': { tokenAddress: { address: OTHER_RECIPIENT, name: 'x' } },
	'token=named': { tokenAddress: { address: null, name: 'x' } },
	'from=other': { accountId: 'acc-2', walletId: 'w-2' },
	equal: { allowEqualPayments: true },
	strict: { allowEqualPayments: false },
	'total=.3': { maximumTotal: '0.3' },
	'total=6': { maximumTotal: '6' },
	'total=20': { maximumTotal: '20' },
};

/** Runs the checks. Returns the numbers of the refused items, and why. */
async function refused(all: object[], run = runOf()): Promise<string[]> {
	const items = prepared(all, run);
	await checkTogether(items);
	const numbers = new Map<string, number[]>();
	for (const { index, result } of items) {
		const { message, fix } = result?.problem ?? {};
		const text = `${message}. ${fix}`;
		if (message !== undefined) numbers.set(text, [...(numbers.get(text) ?? []), index + 1]);
	}
	return [...numbers].map(([text, of]) => `${of.join(' ')}: ${text}`);
}

const twice = (reference: string, items: string) =>
	`${reference} is in the list twice (items ${items}). Remove one.`;
const OWN = 'Give each payment the reference that your own data has for it.';
const alike = (references: string) =>
	`1 2: ${references} may be one payment (items 1 and 2). Remove one, or spell them so that they differ in more.`;
const equal = (references: string, items: string) =>
	`${items.replaceAll(/,| and/g, '')}: ${references} pay the same (items ${items}). Remove one, or turn on Allow Equal Payments.`;
const RAISE = 'Check where they come from. Raise Maximum Total only if it is intended.';
const total = (sum: string, maximum: string) =>
	`The amounts add up to ${sum}, above the Maximum Total of ${maximum}. ${RAISE}`;

it.each<[text: string, refusals: string[]]>([
	['1 INV-1; 2 INV-2; 3 INV-10', []],
	['1 100; 2 10; 3 1.00.1; 4 0; 5 1.1', []],
	['1 A; 2 B; 1 C to=other; 1 D token=other', []],
	['1 INV-301; 2 B; 3 C; 1 INV-301b', [equal('INV-301 and INV-301b', '1 and 4')]],
	['1 A; 2 B; 1 C to=lower from=other; 1 D', [equal('A, C and D', '1, 3 and 4')]],
	['1 A; 2 B; 1 C; 2 D', [equal('A and C', '1 and 3'), equal('B and D', '2 and 4')]],
	['1 A equal; 1 B equal', []],
	['1 A strict; 1 B strict', [equal('A and B', '1 and 2')]],
	// Its look-alike is refused even so.
	['1 INV-007 equal; 1 INV-7 equal', [alike('INV-007 and INV-7')]],
	['1 recA; 2 reca to=other', []],
	['1 INV-1; 2 INV-2; 1 INV-1', [`1 3: ${twice('INV-1', '1 and 3')}`]],
	['1 A; 1 A to=lower token=named', [`1 2: ${twice('A', '1 and 2')}`]],
	['1 A; 1 A to=other', [`1 2: A names two payments (items 1 and 2). ${OWN}`]],
	['1 A; 2 A; 3 A', [`1 2 3: A names two payments (items 1, 2 and 3). ${OWN}`]],
	['1 inv-1; 1 INV-1', [alike('inv-1 and INV-1')]],
	['1 1001; 1 1001.00', [alike('1001 and 1001.00')]],
	['1 „A“; 1 «A»', [alike('„A“ and «A»')]],
	['1 00123; 1 123', [alike('00123 and 123')]],
	...[...'"\'`‘’“”'].map((quote): [string, string[]] => [
		`1 ${quote}00123; 1 00123`,
		[alike(`${quote}00123 and 00123`)],
	]),
	['0.1 A total=.3; 0.2 B total=.3', []],
	['0.1 A total=.3; 0.200001 B total=.3', [`1 2: ${total('0.300001', '0.3')}`]],
	// Each item is held against its own maximum.
	['5 A total=6; 6 B total=20; 4 C', [`1: ${total('15', '6')}`]],
	// What is refused anyway does not count.
	['5 A total=6; 9999 B total=6', [expect.stringMatching(/^2: Amount is 9999/)]],
])('of the payments %j these are refused: %j', async (text, refusals) => {
	expect(await refused(payments(text))).toEqual(refusals);
});

it('5,000 payments are possible, and more are all refused', async () => {
	const all = Array.from({ length: 5_001 }, (_, at) => valuesOf('1', `INV-${at}x`, MORE.equal));
	expect(await refused(all.slice(1))).toEqual([]);
	expect((await refused(all))[0]).toMatch(
		/^1 2 3 .* 5001: This run has 5001 payments, and at most 5000 are possible\. Split them before this node\.$/,
	);
}, 30_000);

it('what this run has sent is not refused, but counts for the total', async () => {
	const { ref, fingerprint } = prepared([valuesOf('5', 'A')])[0]!.work!.names!;
	const sent = { [ref]: { fingerprint, outcome: 'done' as const, items: [] } };
	const run = runOf({ memory: memoryOf(sent) });
	const both = payments('5 A total=6; 4 B total=6');
	expect(await refused(both, run)).toEqual([`2: ${total('9', '6')}`]);
	expect(await refused(payments('5 A; 5 B'), run)).toEqual([
		equal('A and B', '1 and 2').replace('1 2:', '2:'),
	]);
	expect(await refused(payments('5 A; 5 A'), run)).toEqual([]);
});
