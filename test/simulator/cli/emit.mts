import lodash from 'lodash';
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
	const attempts = wholeNumber('attempts', options.attempts, undefined, 1, 100);
	const settings = (options.set ?? []).map(parseSetting);
	const next = eventSource(names, settings);

	const rows = [['#', 'event', 'operation_id', 'attempt', 'status', 'ms', 'answer']];
	let missed = 0;
	const dispatcher = new Agent();
	const stop = new AbortController();
	const signal = AbortSignal.any([terminal.signal, stop.signal]);
	for (let n = 1; n <= count && !signal.aborted; n++) {
		const event = next();
		const name = eventName(event);
		let attemptNumber = 0;
		const delivery = await deliver(event, {
			url,
			webhookKey: options.key ?? DEFAULT_WEBHOOK_KEY,
			attempts,
			dispatcher,
			signal,
			onAttempt(attempt, nextInMs) {
				const { status = '-', ms } = attempt;
				const answer = answerOf(attempt);
				const row = [n, name, event.operation_id, ++attemptNumber, status, Math.round(ms), answer];
				rows.push(row.map(String));
				// The service would retry, but waiting eight minutes for an unpublished workflow helps nobody.
				if (status === 404 && attempts === undefined) {
					terminal.printError(NOT_PUBLISHED);
					stop.abort();
				} else if (nextInMs !== undefined) {
					// Ten attempts take minutes, so the reason for the wait is printed.
					terminal.printError(
						`Attempt ${attemptNumber}: ${status} ${answer}. Next attempt in ${nextInMs / 1_000} s …`,
					);
				}
			},
		});
		if (!delivery.delivered) missed++;
	}
	await dispatcher.close();
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
function eventSource(names: string[], settings: Setting[]): () => EventEnvelope {
	const [name, ...more] = names;
	if (name === undefined) throw new UsageError('Which event? List them with: events');
	if (more.length > 0)
		throw new UsageError(`Only one event can be sent at a time; remove ${more.join(', ')}.`);
	if (!EVENT_NAMES.includes(name))
		throw new UsageError(`Unknown event "${name}". List them with: events`);
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

function answerOf({ error, body = '' }: Attempt): string {
	if (error === 'ECONNREFUSED') return 'nothing is listening there (ECONNREFUSED)';
	if (error !== undefined)
		return error === 'deadline' ? 'no full answer within the deadline' : error;
	const line = body.replace(/\s+/g, ' ').trim();
	return line === '' ? '(empty)' : lodash.truncate(line, { length: 80, omission: '…' });
}
