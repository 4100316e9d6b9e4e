import lodash from 'lodash';
import { Agent } from 'undici';

import { EVENT_NAMES, sampleEvent, type EventOverrides } from '../events.mts';
import { DEFAULT_WEBHOOK_KEY } from '../ids.mts';
import { parseJson } from '../parseJson.mts';
import { deliver, type Attempt } from '../sender.mts';
import type { CommandOptions, Terminal } from './command.mts';
import { UsageError, webhookUrl, wholeNumber } from './usageError.mts';

/** Sends events one after the other by the rules of §6.4 and prints every answer. */
export async function emit(
	names: string[],
	options: CommandOptions,
	terminal: Terminal,
): Promise<number> {
	if (options.to === undefined) throw new UsageError('--to is missing: the URL of the webhook.');
	const url = webhookUrl('to', options.to);
	const count = wholeNumber('count', options.count, 1, 100_000) ?? 1;
	const attempts = wholeNumber('attempts', options.attempts, 1, 100);
	const name = nameOf(names);
	const overrides = overridesOf(name, options.set ?? []);

	let missed = 0;
	const dispatcher = new Agent();
	const stop = new AbortController();
	const signal = AbortSignal.any([terminal.signal, stop.signal]);
	for (let n = 1; n <= count && !signal.aborted; n++) {
		const event = sampleEvent(name, overrides);
		let tries = 0;
		const { delivered } = await deliver(event, {
			...{ url, attempts, dispatcher, signal },
			webhookKey: options.key ?? DEFAULT_WEBHOOK_KEY,
			onAttempt(attempt, nextInMs) {
				const { status = '-', ms } = attempt;
				const next = nextInMs === undefined ? '' : `  next attempt in ${nextInMs / 1_000} s …`;
				terminal.print(
					`${n}  ${name}  ${event.operation_id}  attempt ${++tries}  ${status}  ${Math.round(ms)} ms  ${answerOf(attempt)}${next}`,
				);
				// The service would retry, but waiting eight minutes for an unpublished workflow helps nobody.
				if (status !== 404 || attempts !== undefined) return;
				terminal.printError(NOT_PUBLISHED);
				stop.abort();
			},
		});
		if (!delivered) missed++;
	}
	await dispatcher.close();
	if (missed > 0) terminal.printError(`Not delivered: ${missed} of ${count}.`);
	return missed > 0 || terminal.signal.aborted ? 1 : 0;
}

const NOT_PUBLISHED =
	'404: nothing listens at this URL. Publish the workflow and copy the production URL of its trigger. A test URL works only while the editor waits for an event. To keep retrying as the service does, add --attempts 10.';

function nameOf([name, ...more]: string[]): string {
	if (name === undefined) throw new UsageError('Which event? List them with: events');
	if (more.length > 0)
		throw new UsageError(`Only one event can be sent at a time; remove ${more.join(', ')}.`);
	if (EVENT_NAMES.includes(name)) return name;
	throw new UsageError(`Unknown event "${name}". List them with: events`);
}

/** Reads `data.amount=5` (text, or the type of the sample's field) and `data.amount:=5` (JSON). @throws UsageError */
function overridesOf(name: string, settings: string[]): EventOverrides {
	const sample = sampleEvent(name);
	const overrides: EventOverrides = {};
	for (const setting of settings) {
		const [, path = '', colon = '', text = ''] = /^([^=:]+)(:?)=(.*)$/s.exec(setting) ?? [];
		if (path === '')
			throw new UsageError(
				`--set needs PATH=TEXT or PATH:=JSON, e.g. data.amount=5, not "${setting}".`,
			);
		const kind = typeof lodash.get(sample, path);
		const isText = colon === '' && kind !== 'number' && kind !== 'boolean';
		const value: unknown = isText ? text : parseJson(text);
		if (value === undefined || (!isText && !colon && typeof value !== kind))
			throw new UsageError(`${path} must be ${colon ? 'JSON' : `a ${kind}`}, not "${text}".`);
		lodash.set(overrides, path, value);
	}
	return overrides;
}

function answerOf({ error, body = '' }: Attempt): string {
	if (error === 'ECONNREFUSED') return 'nothing is listening there (ECONNREFUSED)';
	if (error !== undefined)
		return error === 'deadline' ? 'no full answer within the deadline' : error;
	const line = body.replace(/\s+/g, ' ').trim();
	return line === '' ? '(empty)' : lodash.truncate(line, { length: 80, omission: '…' });
}
