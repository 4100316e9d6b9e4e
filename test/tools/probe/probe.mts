import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import lodash from 'lodash';

import { DESCRIBED_ENDPOINTS, EVENT_NAMES, eventDepartures } from '../../simulator/description.mts';
import { eventName, type EventEnvelope } from '../../simulator/events.mts';
import { parseJson } from '../../simulator/parseJson.mts';
import { markdownTable, read } from '../docs/page.mts';
import { note, noteFields, ROWS, word, type Facts } from './rows.mts';
import { visit } from './visit.mts';

const USAGE = `npm run probe -- --base-url URL [options]: compares a sandbox with the API document

  PROBE_KEY_1, PROBE_KEY_2, PROBE_KEY_3   in the environment: API keys by level
  --client, --card, --enterprise-card ID, --detail-path PATH   what to read
  --write         freezes and unfreezes the card; with --account and --wallet ID a transfer of 0
  --events FILE   recorded deliveries: a list, or lines, of events or of { headers, body }
  --out FILE      default: probe-<day>.md
  --production    allows a host that does not look like a test system`;

const TEXTS = 'base-url events out client card enterprise-card account wallet detail-path';
const OPTIONS = {
	...lodash.mapValues(lodash.keyBy(TEXTS.split(' ')), () => ({ type: 'string' as const })),
	...{ write: { type: 'boolean' as const }, production: { type: 'boolean' as const } },
};
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const TEST_SYSTEM = /(^|[.-])(sandbox|test|testing|staging|stage|stg|dev|demo|uat|qa)\d*([.-]|$)/;

/** Address of a test system, or of another one if that is allowed. @throws for any other */
function address(given: string, isAllowed: boolean): URL {
	const url = new URL(given);
	const isLocal = LOOPBACK.test(url.hostname);
	if (url.username || (url.protocol !== 'https:' && !isLocal))
		throw new Error('--base-url has to be an https address without a password.');
	if (isLocal || isAllowed || TEST_SYSTEM.test(url.hostname)) return url;
	throw new Error(`${url.hostname} does not look like a test system: --production allows it.`);
}

type Print = (text: string) => void;

/** Prints and writes the table. @returns the exit code: 1 if something differs, 2 if nothing was compared */
export async function probe(argv: string[], env: NodeJS.ProcessEnv, print: Print, pauseMs = 100) {
	try {
		const { values } = parseArgs({ args: argv, options: OPTIONS });
		const { write = false, production = false, ...texts } = values;
		const { 'base-url': base, events, out, ...ids } = texts as Record<string, string | undefined>;
		if (base === undefined && events === undefined) throw new Error(USAGE);
		const facts: Facts = {};
		const wrong = events === undefined ? {} : recorded(events, facts);
		const url = base === undefined ? undefined : address(base, Boolean(production));
		if (url) {
			const given = [1, 2, 3].map((level) => [level, env[`PROBE_KEY_${level}`]] as const);
			const keys = Object.fromEntries(given.filter(([, key]) => key)) as Record<number, string>;
			if (lodash.isEmpty(keys)) throw new Error('Put an API key into PROBE_KEY_1, _2 or _3.');
			const baseUrl = url.href.replace(/\/+$/, '');
			const found = await visit({ baseUrl, keys, ids, write: Boolean(write), pauseMs }, facts);
			Object.assign(wrong, found);
		}
		const lines = linesOf(facts, wrong);
		const day = new Date().toISOString().slice(0, 10);
		const table = markdownTable(['', 'Result', 'Came'], lines);
		const page = `# Probe of ${url?.host ?? 'events'}, ${day}\n\n${table}\n`;
		writeFileSync(out ?? `probe-${day}.md`, page);
		print(page);
		if (facts['after rejection.HTTP'] && facts['after the end.status']?.[0] !== 'ACTIVE')
			print('Look at the card: it may still be frozen.');
		return lines.some(([, result]) => result === 'differs') ? 1 : 0;
	} catch (thrown) {
		const { code = '', message } = thrown as NodeJS.ErrnoException;
		// Its message would repeat a key that was given in the wrong place.
		print(code.startsWith('ERR_PARSE_ARGS') ? USAGE : message);
		return 2;
	}
}

/** Reads deliveries from a file. @returns departures from the description, by event */
function recorded(file: string, facts: Facts): Record<string, string[]> {
	const wrong: Record<string, string[]> = {};
	const first = new Map<string, unknown>();
	const content = readFileSync(file, 'utf8');
	const all = [parseJson(content) ?? content.split('\n').filter(Boolean).map(parseJson)].flat();
	for (const { headers, body, ...more } of all) {
		// Items of the trigger have fields of their own.
		const event = (body ?? lodash.omit(more, 'decision', 'delivery', 'summary')) as EventEnvelope;
		const name = eventName(event);
		const found = eventDepartures(event).map((each) => each.slice(name.length));
		note(wrong, EVENT_NAMES.includes(name) ? name : 'other events', ...found);
		noteFields(facts, name, event.data);
		note(facts, 'event.status', event.status);
		const key = [name, event.operation_id, event.status, event.data?.blocked_at].join();
		if (!first.has(key)) first.set(key, event);
		note(facts, 'event keys', lodash.isEqual(first.get(key), event) ? 'own_key' : 'key_of_another');
		const names = Object.keys(headers ?? {}).map((each) => each.toLowerCase());
		if (names.length === 0) continue;
		note(facts, 'event headers', ...names);
		note(facts, 'event trace', names.includes('x-trace-id') ? 'with' : 'without');
	}
	return wrong;
}

/** Lines of the table. @throws if a check has not one row on the page */
function linesOf(facts: Facts, wrong: Record<string, string[]>): string[][] {
	const line = (what: string, seen?: unknown[], differing = seen) => [
		what,
		!seen?.length && !differing ? 'not seen' : differing!.length === 0 ? 'as read' : 'differs',
		[...new Set(seen)].sort().join(', '),
	];
	const page = read('docs/not-shown.md');
	const questions = [...page.matchAll(/^\| (.*\?.*?) \| /gm)].map(([, question]) => question!);
	const checks = lodash.mapKeys(ROWS, (_row, part) => {
		const [question, ...more] = questions.filter((each) => each.includes(part));
		if (question !== undefined && more.length === 0) return question;
		throw new Error(`docs/not-shown.md needs one question with "${part}".`);
	});
	return [
		...DESCRIBED_ENDPOINTS.map(({ section, method, path }) =>
			line(`§${section} ${method} ${path}`, wrong[section]),
		),
		...[...EVENT_NAMES, 'other events'].map((name) => line(name, wrong[name])),
		...questions.map((question) => {
			const [asRead, ...names] = checks[question] ?? [/^/];
			const values = names.flatMap((name) => facts[name] ?? []);
			if (values.length === 0) return line(question);
			const differing = values.filter((value) => !asRead.test(String(value)));
			return line(question, values.map(word), differing);
		}),
	];
}
