import type { Edit } from './code.mts';
import type { Settings } from './world.mts';

/** Rule that is switched off, the promise that breaks then, and the seed of a history that shows it. */
export interface Rule extends Settings {
	breaks: number;
	seed: number;
	edits: Edit[];
}

const off = (breaks: number, seed: number, edits: Edit[]): Rule => ({ breaks, seed, edits });

const AS_SENT = '({ ref, failed, open }: Names): string[] => [ref, failed, open]';
const RECORDED = '[ref, failed, open]';
const ENDED = "ended('rejected', 'not_sent').flatMap(asSent)";
const AGAIN = 'accepted.flatMap(({ ref, paid }) => [ref, paid]);';
const ASKED = 'if (known.length > 0) await ask(known.map(({ paid }) => paid));';
const ACCEPTED = 'was.has(ref) && !was.has(open);';
const UNKNOWN = '!part.some((payment) => isSettled(payment, was))';
const IS_OPEN = "if (was.has(open)) return 'open';";
const IS_PAID = "if (was.has(paid)) return 'already sent';";
const RETRIED = 'isRetry && mayBeAnew';
const BEGAN = 'began !== true && ';
const NEEDED = '!refs.has(ref) && sentBefore(journal, ref)';
const UNDONE = 'await undo([...added], calls);';
const NOT_SENT = "part.filter((payment) => verdict(payment, found) !== 'send')";
const PAID_TOO: Edit = [
	UNDONE,
	`await undo([...added, ...${NOT_SENT}.map(({ paid }) => paid)], calls);`,
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
const CLOSED = 'accepted.flatMap(({ failed, open }) => [failed, open]);';
const NOT_CLOSED: Edit = [CLOSED, '[];'];
const IF_FAILED_BEFORE = "if (was.has(failed)) return 'FAILED';";
const FAILED_CLOSED = "gone.push(...ended('failed').map(({ open }) => open));";
const ALL_RECORDED = 'await ask([runNote, ...part.flatMap(asSent)]);';
const NOT_AGAIN: Edit = [AGAIN, 'accepted.map(({ paid }) => paid);'];

const OF_PAYMENTS: Record<string, Rule> = {
	'no `ref`': off(1, 1, [
		ONLY_OPEN,
		NOT_AGAIN,
		[ENDED, ENDED.replace('asSent', '({ paid, open }) => [paid, open]')],
		[ACCEPTED, '!was.has(open);'],
		[UNKNOWN, '!part.some(({ paid }) => was.has(paid))'],
	]),
	'no `ref`, and `open` stays for ever': off(2, 983, [
		ONLY_OPEN,
		NOT_CLOSED,
		[ACCEPTED, 'was.has(open);'],
		[IS_OPEN, `${IS_PAID} ${IS_OPEN}`],
	]),
	'no `open`': off(3, 21, [[RECORDED, '[ref]'], NOT_CLOSED]),
	'no `paid`': off(3, 2, [
		[IS_PAID, ''],
		["if (was.has(ref)) return 'another payment';", "if (was.has(ref)) return 'already sent';"],
		[ASKED, ''],
	]),
	'`paid` in the first call': off(3, 3266, [
		[AS_SENT, AS_SENT.replaceAll('ref, ', 'ref, paid, ')],
		[ASKED, ''],
		PAID_TOO,
	]),
	'no `failed`': off(5, 6, [[IF_FAILED_BEFORE, '']]),
	'`failed` is recorded when it is known, and looked up': off(6, 21, [
		[RECORDED, '[ref, open]'],
		[
			ASKED,
			`${ASKED} const opened = part.filter(({ open }) => was.has(open)); if (opened.length > 0) await ask(opened.map(({ failed }) => failed));`,
		],
		[IS_OPEN, `${IF_FAILED_BEFORE} ${IS_OPEN}`],
		[FAILED_CLOSED, ''],
		[AGAIN, `[...${AGAIN.slice(0, -1)}, ...ended('failed').map(({ failed }) => failed)];`],
	]),
	'`failed` in a call before `open`': off(6, 1, [
		[ALL_RECORDED, `await ask(part.map(({ failed }) => failed)); ${ALL_RECORDED}`],
	]),
	'`failed` stays with what was accepted': off(6, 5, [
		[CLOSED, 'accepted.map(({ open }) => open);'],
	]),
	'FAILED: `open` stays': off(5, 6, [[FAILED_CLOSED, '']]),
	'FAILED: `open` goes whatever came of it': off(6, 12, [
		["ended('failed').map", "ended('failed', 'unknown').map"],
	]),
	'n8n drops `open` before `failed`': {
		...off(6, 22, [[RECORDED, '[ref, open, failed]']]),
		isEvicting: true,
	},
	'no run note': off(2, 3, [[RETRIED, 'false && mayBeAnew']]),
	'a run that sent nothing leaves its note': off(9, 34, [
		['if (isNoteNew && !has', 'if (false && !has'],
	]),
	'the run note goes with what the run has sent': off(2, 161, [
		['&& !hasSentOther(journal))', ')'],
	]),
	'the run note goes although it was there': off(2, 26, [
		['isNoteNew ||= added.has(runNote)', 'isNoteNew = true'],
	]),
	'requests: a run that sent nothing has begun': {
		...off(2, 543, [['journal.began = false;', '']]),
		isOnce: true,
	},
	'one journal and run note for all runs of the node': {
		...off(6, 8, [['startedAt, runIndex);', 'startedAt);']]),
		hasOneJournal: true,
	},
	'a lookup takes a turn for each call': off(6, 5, [[IN_TURN, BY_CALL]]),
	'parts do not take turns': off(5, 205, [['await inOrder(', 'await (async (of) => await of())(']]),
	'all parts at once': off(7, 56, [['atMost(PARTS_AT_ONCE)', 'atMost(1000)']]),
	'`open` counts as accepted after a kill': off(2, 293, [
		[UNKNOWN, '!part.some(({ ref, open }) => was.has(ref) || was.has(open))'],
	]),
	'began, whatever was found': off(2, 3, [
		['if (found.was && !isEdited && !found.isAnew) journal.began', 'journal.began'],
	]),
	'no `began`': off(5, 4, [[BEGAN, '']]),
	'not only in a retry': off(6, 3, [[RETRIED, 'mayBeAnew']]),
	'what was sent need not be there again': off(2, 138, [[NEEDED, 'false']]),
	'the rejected must be there again, too': off(5, 44, [[NEEDED, '!refs.has(ref)']]),
	'looked up and not sent: notes stay': off(5, 3, [[UNDONE, '']]),
	'looked up and not sent: what was there goes, too': off(1, 5, [
		['names.filter((name) => !was.has(name))', 'names'],
	]),
	'`paid` goes although it was not asked for': off(4, 2786, [PAID_TOO]),
	'a failing database says not_sent': off(4, 66, [
		[DATABASE, DATABASE.replace('unknown', 'not_sent')],
	]),
	'`open` goes although recording has failed': off(4, 45, [['closed.splice(0)', '0']]),
	'`open` goes first': off(4, 22, [
		['if (again.length > 0)', 'await undo(closed, calls); if (again.length > 0)'],
	]),
	'`open` stays': off(6, 12, [[SETTLED, 'gone']]),
	'rejected or never left: notes stay': off(5, 8, [[SETTLED, 'closed']]),
	'pending is not accepted': off(5, 2, [["ended('done', 'pending')", "ended('done')"]]),
	'journal: rejected is an answer': off(4, 167, [[ANSWERED, 'false']]),
	'journal: other values are the same payment': off(3, 83, [[OTHER, 'false']]),
	'journal: no FAILED': off(6, 449, [[IF_FAILED, '']]),
	'journal: answers nothing': off(5, 35, [[ANSWERED, 'true']]),
	'a part begins although the run is over': off(8, 7, [['isOver() ? undefined : ', '']]),
	'a payment is sent although the run is over': off(8, 6, [
		["if (isOver()) return 'not_sent';", ''],
	]),
	'two processes, journal: unknown is no answer': {
		...off(1, 345, [[ANSWERED, "['rejected', 'unknown'].includes(String(before?.outcome))"]]),
		processes: 2,
	},
	'two processes, `ref` not recorded again': { ...off(1, 162, [NOT_AGAIN]), processes: 2 },
};

/** Rule that requests need as payments do, and the promise that breaks then. */
const ofRequests = (name: string, breaks: number, seed: number): [string, Rule] => [
	`requests: ${name}`,
	{ ...OF_PAYMENTS[name]!, breaks, seed, isOnce: true },
];

export const RULES: Record<string, Rule> = {
	...OF_PAYMENTS,
	'requests: no fingerprint': { ...off(3, 188, []), isOnce: true, isBlind: true },
	...Object.fromEntries([
		ofRequests('no `ref`', 1, 61),
		ofRequests('no `open`', 4, 26),
		ofRequests('no `paid`', 3, 256),
		ofRequests('no run note', 2, 1854),
		ofRequests('began, whatever was found', 2, 3),
		ofRequests('what was sent need not be there again', 2, 28),
		ofRequests('looked up and not sent: what was there goes, too', 1, 1290),
	]),
};
