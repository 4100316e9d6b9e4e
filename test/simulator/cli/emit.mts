import { readFile } from 'node:fs/promises';
import { Agent } from 'undici';

import {
	alignWithData,
	EVENT_NAMES,
	eventName,
	sampleEvent,
	type EventEnvelope,
} from '../events/index.mts';
import { DEFAULT_WEBHOOK_KEY } from '../ids.mts';
import { deliver, type Attempt } from '../sender.mts';
import type { CommandOptions, Terminal } from './command.mts';
import { nearest } from './nearest.mts';
import { applySettings, parseSetting, type Setting } from './setting.mts';
import { table } from './table.mts';
import { UsageError, webhookUrl, wholeNumber } from './usageError.mts';

/** Sends events one after the other by the rules of §6.4 and prints every answer. */
export async function emit(
	names: string[],
	options: CommandOptions,
	terminal: Terminal,
): Promise<number> {
	if (options.to === undefined) throw new UsageError('--to is missing: the URL of the webhook.');
	const url = webhookUrl('to', options.to);
	const count = wholeNumber('count', options.count, 1, 1, 100_000);
	const attempts =
		options.attempts === undefined
			? undefined
			: wholeNumber('attempts', options.attempts, 1, 1, 100);
	const settings = (options.set ?? []).map(parseSetting);
	const next = await eventSource(names, options.file, settings);

	const rows = [['#', 'event', 'operation_id', 'attempt', 'status', 'ms', 'answer']];
	let missed = 0;
	const dispatcher = new Agent();
	const stop = new AbortController();
	const onAbort = () => stop.abort();
	terminal.signal.addEventListener('abort', onAbort);
	if (terminal.signal.aborted) onAbort();
	try {
		for (let n = 1; n <= count && !stop.signal.aborted; n++) {
			const event = next();
			let attemptNumber = 0;
			const delivery = await deliver(event, {
				url,
				webhookKey: options.key ?? DEFAULT_WEBHOOK_KEY,
				attempts,
				dispatcher,
				signal: stop.signal,
				onAttempt(attempt, nextInMs) {
					rows.push(row(n, event, ++attemptNumber, attempt));
					// The service would retry, but waiting eight minutes for an unpublished workflow helps nobody.
					if (attempt.status === 404 && attempts === undefined) {
						terminal.printError(NOT_PUBLISHED);
						stop.abort();
						return;
					}
					// Ten attempts take minutes, so the reason for the wait is printed.
					if (nextInMs !== undefined) {
						terminal.printError(
							`Attempt ${attemptNumber}: ${attempt.status ?? '-'} ${answerOf(attempt)}. Next attempt in ${nextInMs / 1_000} s …`,
						);
					}
				},
			});
			if (!delivery.delivered) missed++;
		}
	} finally {
		terminal.signal.removeEventListener('abort', onAbort);
		await dispatcher.close();
	}
	terminal.print(table(rows));
	if (missed > 0)
		terminal.printError(
			`${missed} of ${count} events ${missed === 1 ? 'was' : 'were'} not delivered.`,
		);
	return missed > 0 || terminal.signal.aborted ? 1 : 0;
}

const NOT_PUBLISHED =
	'404: nothing listens at this URL. Publish the workflow and copy the production URL of its trigger. A test URL works only while the editor waits for an event. To keep retrying as the service does, add --attempts 10.';

/** Returns a function that creates a new event per call, with the settings applied. @throws UsageError */
async function eventSource(
	names: string[],
	file: string | undefined,
	settings: Setting[],
): Promise<() => EventEnvelope> {
	const [name, ...more] = names;
	if (more.length > 0)
		throw new UsageError(`Only one event can be sent at a time; remove ${more.join(', ')}.`);
	if (file !== undefined) {
		if (name !== undefined) throw new UsageError('Give either an event or --file, not both.');
		const envelope = applySettings(await readEnvelope(file), settings);
		return () => envelope;
	}
	if (name === undefined) throw new UsageError('Which event? List them with: events');
	if (!EVENT_NAMES.includes(name)) {
		throw new UsageError(
			`Unknown event "${name}". Did you mean ${nearest(name, EVENT_NAMES).join(', ')}?`,
		);
	}
	// Read before creating the sample, because a failed event has more fields (§6.5).
	const status = settings.find(({ path }) => path.join('.') === 'status')?.text;
	const next = () =>
		alignWithData(
			applySettings(sampleEvent(name, status === undefined ? {} : { status }), settings),
			settings.map(({ path }) => path[0]!),
		);
	// Reports an unusable setting before anything is sent.
	next();
	return next;
}

async function readEnvelope(file: string): Promise<EventEnvelope> {
	const text = await readFile(file, 'utf8').catch((thrown: unknown) => {
		throw new UsageError(`${file} could not be read: ${(thrown as Error).message}`);
	});
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (thrown) {
		throw new UsageError(`${file} is not valid JSON: ${(thrown as Error).message}`);
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new UsageError(`${file} must hold a JSON object.`);
	}
	return value as EventEnvelope;
}

function row(n: number, event: EventEnvelope, attemptNumber: number, attempt: Attempt): string[] {
	return [
		String(n),
		eventName(event),
		String(event.operation_id),
		String(attemptNumber),
		attempt.status === undefined ? '-' : String(attempt.status),
		String(Math.round(attempt.ms)),
		answerOf(attempt),
	];
}

const LONGEST_ANSWER = 80;

function answerOf({ error, body = '' }: Attempt): string {
	if (error === 'ECONNREFUSED') return 'nothing is listening there (ECONNREFUSED)';
	if (error !== undefined)
		return error === 'deadline' ? 'no full answer within the deadline' : error;
	const line = body.replace(/\s+/g, ' ').trim();
	if (line === '') return '(empty)';
	return line.length > LONGEST_ANSWER ? `${line.slice(0, LONGEST_ANSWER)}…` : line;
}
