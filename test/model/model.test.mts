import { copies, copy, REAL } from './code.mts';
import { isPromised, play, search } from './histories.mts';
import { RULES } from './rules.mts';

// For a busy machine.
jest.setTimeout(300_000);

const CODES = copies();

/** Few histories, because each rule has its own below. `npm run test:model` plays 10,000. */
const SEARCHES = [
	['random histories', CODES, { first: 1, histories: 500 }, {}],
	['histories with a kill at each step', CODES, { first: 1, histories: 5, isCut: true }, {}],
	['histories of requests', CODES, { first: 1, histories: 200 }, { isOnce: true }],
	['histories with few notes', CODES, { first: 1, histories: 60 }, { isEvicting: true }],
	['histories of up to 91 payments', [REAL], { first: 1, histories: 30 }, { scale: 13 }],
] as const;

/** Histories that show what is not promised. */
const LIMITS: Array<[seed: number, limit: string]> = [
	[1148, 'references partly made anew: 2 row paid again, references made anew'],
	[1509, 'retried while it ran: 2 row paid again, references edited'],
	[2204, 'edited after a kill or another retry: 2 row paid again, references edited'],
	[524, 'edited after a kill or another retry: 2 row paid again, at another target'],
];

it.each(SEARCHES)('no promise is broken in %s', async (_name, codes, range, settings) => {
	const { found } = await search([...codes], range, settings);
	expect([...found].filter(([what]) => isPromised(what))).toEqual([]);
});

it.each(LIMITS)('the history of seed %i shows a limit: %s', async (seed, limit) => {
	expect([...(await play(CODES, seed)).violations]).toEqual([`apart, ${limit}`]);
});

it('a copy of the code gives the same histories as the code', async () => {
	for (let seed = 1; seed <= 20; seed++) {
		const { trace } = await play([REAL], seed, { isTraced: true });
		expect((await play([copy()], seed, { isTraced: true })).trace).toEqual(trace);
	}
});

it.each(Object.entries(RULES))(
	'a history breaks a promise without this rule: %s',
	async (_name, { breaks, seed, edits, processes = 1, isOnce, ...settings }) => {
		const apart = processes > 1 ? 'apart, two processes: ' : '';
		const broken = new RegExp(`^${apart}${breaks} `);
		const world = { processes, isOnce };
		const on = await play(CODES, seed, world);
		expect([...on.violations].filter((what) => broken.test(what))).toEqual([]);
		const off = await play(copies(edits), seed, { ...world, ...settings });
		expect([...off.violations].filter((what) => broken.test(what))).not.toEqual([]);
	},
);
