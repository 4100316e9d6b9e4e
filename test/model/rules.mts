import type { Edit } from './code.mts';
import type { Settings } from './world.mts';

/** Rule that is switched off, the promise that breaks then, and the seed of a history that shows it. */
export type Rule = Settings & { breaks: number; seed: number; edits: Edit[] };

const off = (breaks: number, seed: number, edits: Edit[]): Rule => ({ breaks, seed, edits });

const AS_SENT = '({ ref, open }: Names): string[] => [ref, open]';
const RECORDED = '[ref, open]';
const ENDED = "ended('rejected', 'not_sent').flatMap(asSent)";
const AGAIN = "ended('done', 'pending').flatMap(({ ref, paid }) => [ref, paid])";
const AGAIN_FAILED = "ended('failed').flatMap(({ ref, failed }) => [ref, failed])";
const ASKED = 'await ask(known.flatMap(({ paid, failed }) => [paid, failed]));';
const ACCEPTED = 'was.has(ref) && !was.has(open);';
const UNKNOWN = '!part.some((payment) => isSettled(payment, was))';
const IS_OPEN = "if (was.has(open)) return 'open';";
const IS_PAID = "if (was.has(paid)) return 'already sent';";
const RETRIED = 'isRetry && mayBeAnew';
const BEGAN = 'began !== true && ';
const NEEDED = '!refs.has(ref) && sentBefore(journal, ref)';
const UNDONE = 'await undo([...added], calls);';
const NOT_SENT = 'part.filter((payment) => !leaves(payment, found))';
/** What a lookup of these notes in the first call needs besides. */
const undone = (name: string): Edit => [
	UNDONE,
	`await undo([...added, ...${NOT_SENT}.map(({ ${name} }) => ${name})], calls);`,
];
const inFirstCall = (name: string, left: string): Edit[] => [
	[AS_SENT, `({ ref, ${name}, open }: Names): string[] => [ref, ${name}, open]`],
	[ASKED, `await ask(known.map(({ ${left} }) => ${left}));`],
	undone(name),
];
const IN_TURN = 'const found = await notes';
const BY_CALL =
	'const each = { record: async (of) => await notes.inTurn(async (calls) => await calls.record(of)), remove: async (of) => await notes.inTurn(async (calls) => await calls.remove(of)) }; const found = await { inTurn: async (work) => await work(each) }';
const ANSWERED = "before?.outcome === 'rejected'";
const IF_FAILED = "if (before?.outcome === 'failed') return 'FAILED';";
const OTHER = 'before.fingerprint !== fingerprint';
const SETTLED = '[...closed, ...gone]';
const DATABASE = "'no database': refusal(\n\t\t'unknown'";

const ONLY_OPEN: Edit = [RECORDED, '[open]'];
const CLOSED = "const closed = ended('done', 'pending', 'failed').map(({ open }) => open);";
const NOT_CLOSED: Edit = [CLOSED, 'const closed: string[] = [];'];
const NOT_AGAIN: Edit[] = [
	[AGAIN, AGAIN.replaceAll('ref, paid', 'paid')],
	[AGAIN_FAILED, AGAIN_FAILED.replaceAll('ref, failed', 'failed')],
];

const OF_PAYMENTS: Record<string, Rule> = {
	'no `ref`': off(1, 1, [
		ONLY_OPEN,
		...NOT_AGAIN,
		[ENDED, ENDED.replace('asSent', '({ paid, open }) => [paid, open]')],
		[ACCEPTED, '!was.has(open);'],
		[UNKNOWN, '!part.some(({ paid }) => was.has(paid))'],
	]),
	'no `ref`, and `open` stays for ever': off(3, 17, [
		ONLY_OPEN,
		NOT_CLOSED,
		[ACCEPTED, 'was.has(open);'],
		[IS_OPEN, `${IS_PAID} ${IS_OPEN}`],
	]),
	'no `open`': off(3, 17, [[RECORDED, '[ref]'], NOT_CLOSED]),
	'no `paid`': off(3, 2, [
		[IS_PAID, ''],
		["if (was.has(ref)) return 'another payment';", "if (was.has(ref)) return 'already sent';"],
		[ASKED, 'await undefined;'],
	]),
	'`paid` in the first call': off(3, 4, inFirstCall('paid', 'failed')),
	'no `failed`': off(5, 4, [["if (was.has(failed)) return 'FAILED';", '']]),
	'`failed` in the first call': off(6, 14, inFirstCall('failed', 'paid')),
	'FAILED: `open` stays': off(5, 4, [
		[CLOSED, "const closed = ended('done', 'pending').map(({ open }) => open);"],
	]),
	'FAILED, whatever came of it': off(6, 5, [
		[AGAIN_FAILED, AGAIN_FAILED.replace("'failed'", "'failed', 'unknown'")],
		[CLOSED, CLOSED.replace("'failed'", "'failed', 'unknown'")],
	]),
	'no run note': off(2, 9, [[RETRIED, 'false && mayBeAnew']]),
	'a run that sent nothing leaves its note': off(9, 2, [
		['if (isNoteNew)\n', 'if (false)\n'],
		['leaving.length > 0 ? ', 'true ? '],
	]),
	'the run note goes with what the run has sent': off(2, 132, [
		['if (!hasSentOther(journal)) {', 'if (true) {'],
	]),
	'the run note goes although it was there': off(2, 26, [
		['leaving.length > 0 && added.has(runNote)', 'true'],
	]),
	'requests: a run that sent nothing has begun': {
		...off(2, 389, [['journal.began = false;', '']]),
		isOnce: true,
	},
	'one journal and run note for all runs of the node': {
		...off(6, 8, [['startedAt, runIndex);', 'startedAt);']]),
		hasOneJournal: true,
	},
	'a lookup takes a turn for each call': off(6, 8, [[IN_TURN, BY_CALL]]),
	'parts do not take turns': off(5, 205, [['await inOrder(', 'await (async (of) => await of())(']]),
	'all parts at once': off(7, 77, [['atMost(PARTS_AT_ONCE)', 'atMost(1000)']]),
	'`open` counts as accepted after a kill': off(2, 868, [
		[UNKNOWN, '!part.some(({ ref, open }) => was.has(ref) || was.has(open))'],
	]),
	'began, whatever was found': off(2, 39, [
		['if (found.was && !isEdited && !found.isAnew) journal.began', 'journal.began'],
	]),
	'no `began`': off(5, 19, [[BEGAN, '']]),
	'not only in a retry': off(6, 44, [[RETRIED, 'mayBeAnew']]),
	'what was sent need not be there again': off(2, 25, [[NEEDED, 'false']]),
	'the rejected must be there again, too': off(5, 6, [[NEEDED, '!refs.has(ref)']]),
	'looked up and not sent: notes stay': off(5, 15, [[UNDONE, '']]),
	'looked up and not sent: what was there goes, too': off(1, 5, [
		['names.filter((name) => !was.has(name))', 'names'],
	]),
	'`paid` goes although it was not asked for': off(4, 7, [undone('paid')]),
	'a dry run is sent': off(8, 12, [['!payment.dryRun && verdict', 'verdict']]),
	'after many unknown in a row, others are sent': off(8, 23, [
		['if (isSilent) return', 'if (false) return'],
		['isSilent ? unsent', 'false ? unsent'],
	]),
	'after many unknown in a row, what is recorded is sent': off(8, 366, [
		['isSilent ? unsent', 'false ? unsent'],
	]),
	'unknown, but not in a row': off(6, 55, [
		[
			'ends.some((_, first) => isRow(ends.slice(first, first + MOST_UNKNOWN)))',
			"isRow(ends.filter((end) => end === 'unknown').slice(0, MOST_UNKNOWN))",
		],
	]),
	'an answer that comes later ends the row': off(8, 857, [['isSilent ||=', 'isSilent =']]),
	'a failing database says not_sent': off(4, 42, [
		[DATABASE, DATABASE.replace('unknown', 'not_sent')],
	]),
	'`open` goes although recording has failed': off(4, 45, [['closed.splice(0)', '0']]),
	'`open` goes first': off(4, 5, [
		[
			'if (known.length > 0) await calls',
			'await undo(closed, calls); if (known.length > 0) await calls',
		],
	]),
	'`open` stays': off(6, 14, [[SETTLED, 'gone']]),
	'rejected or never left: notes stay': off(5, 8, [[SETTLED, 'closed']]),
	'pending is not accepted': off(5, 7, [["ended('done', 'pending')", "ended('done')"]]),
	'journal: rejected is an answer': off(4, 54, [[ANSWERED, 'false']]),
	'journal: other values are the same payment': off(3, 214, [[OTHER, 'false']]),
	'journal: no FAILED': off(6, 7, [[IF_FAILED, '']]),
	'journal: answers nothing': off(5, 14, [[ANSWERED, 'true']]),
	'a part begins although the run is over': off(8, 7, [['isOver() ? undefined : ', '']]),
	'a payment is sent although the run is over': off(8, 6, [
		["if (isOver()) return 'not_sent';", ''],
	]),
	'two processes, journal: unknown is no answer': {
		...off(1, 349, [[ANSWERED, "['rejected', 'unknown'].includes(String(before?.outcome))"]]),
		processes: 2,
	},
	'two processes, `ref` not recorded again': { ...off(1, 1154, NOT_AGAIN), processes: 2 },
};

/** Rule that requests need as payments do, and the promise that breaks then. */
const ofRequests = (name: string, breaks: number, seed: number): [string, Rule] => [
	`requests: ${name}`,
	{ ...OF_PAYMENTS[name]!, breaks, seed, isOnce: true },
];

export const RULES: Record<string, Rule> = {
	...OF_PAYMENTS,
	'requests: no fingerprint': { ...off(3, 61, []), isOnce: true, isBlind: true },
	...Object.fromEntries([
		ofRequests('no `ref`', 1, 91),
		ofRequests('no `open`', 4, 29),
		ofRequests('no `paid`', 3, 79),
		ofRequests('no run note', 2, 9),
		ofRequests('began, whatever was found', 2, 33),
		ofRequests('`open` goes although recording has failed', 4, 184),
		ofRequests('what was sent need not be there again', 2, 4),
		ofRequests('looked up and not sent: what was there goes, too', 1, 146),
	]),
};
