import lodash from 'lodash';

import type { SlackMessage } from '../../harness/slack/slackStandIn.mts';
import type { Mail } from '../../harness/smtp/smtpStandIn.mts';

export type Say = (line: string) => void;

export interface Outcome {
	ok: boolean;
	/** Result, or the reason why it did not run. */
	text: string;
}

/** Runs the demos one after the other and prints a table row for each. @returns the number that did not run */
export async function report(
	title: string,
	column: string,
	runs: Array<[name: string, run: () => Promise<Outcome>]>,
	say: Say,
): Promise<number> {
	let failures = 0;
	say(`\n${title.padEnd(42)}${'Result'.padEnd(8)}${'ms'.padStart(6)}  ${column}`);
	for (const [name, run] of runs) {
		const began = Date.now();
		const { ok, text } = await run().catch((error: unknown) => ({
			ok: false,
			text: String(error),
		}));
		if (!ok) failures += 1;
		const line = text.replace(/\s*\n\s*/g, ' · ');
		say(
			`${name.padEnd(42)}${(ok ? 'ok' : 'FAILED').padEnd(8)}${String(Date.now() - began).padStart(6)}  ${lodash.truncate(line, { length: ok ? 110 : 400, omission: '…' })}`,
		);
	}
	return failures;
}

export function sayMail({ to, subject, text }: Mail, say: Say): void {
	say(`\n┌─ Email to ${to}: ${subject}`);
	for (const line of text.trim().split('\n')) say(`│ ${line}`);
	say('└─');
}

/** Slack itself reports clicks to n8n, so nobody can click here. */
const NO_LINK =
	'(no link: Capture Who Responded is on in the node that asks. Switch it off to try it here, and choose the approvers again afterwards.)';

/** Prints a message as Slack would show it, with links as buttons. */
export function sayMessage({ channel, text, buttons }: SlackMessage, say: Say): void {
	say(`\n┌─ Slack ${channel}`);
	for (const line of text.replace(/\*(.+?)\*/g, '$1').split('\n')) say(`│ ${line}`);
	for (const { label, url } of buttons) say(`│ [ ${label} ] ${url || NO_LINK}`);
	say('└─');
}
