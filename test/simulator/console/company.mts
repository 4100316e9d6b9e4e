import type { Subscription } from '../outbox.mts';

interface Person {
	id: string;
	name: string;
}

export interface Step {
	name: string;
	title: string;
	text: string;
	/** Label of its button. */
	button: string;
	shows: 'inbox' | 'money' | 'events';
	/** True if the button opens that tab. */
	opens?: true;
	run(): Promise<void>;
	state(): 'open' | 'waiting' | 'running' | 'failed' | 'done';
	/** What its runs have come to, in words. */
	result?(): string | undefined;
	execution?(): string | undefined;
}

/** What an execution of the company's workflows says about an event or a payment. */
export interface Trace {
	execution: string;
	/** Payment reference; the service never gets it. */
	reference?: string;
	decision?: object;
}

/** Recipient of events that the page offers. */
export interface Target extends Subscription {
	name: string;
	/** Events that it gets unless the user chooses another one. */
	events?: readonly string[];
}

/** Company that uses the service: its chat, mailbox, n8n and workflows. */
export interface Company {
	n8n: { url: string; email: string; password: string };
	/** `url` is undefined if n8n does not have the workflow. */
	workflows: Array<{ name: string; url?: string; about: string }>;
	people: readonly Person[];
	messages: readonly object[];
	/** Rows of the table *Payments* in n8n, oldest first. */
	ledger(): readonly object[];
	mails: readonly object[];
	targets: readonly Target[];
	steps: readonly Step[];
	press(ts: string, label: string, person: Person): Promise<void>;
	/** Trace of a delivery by the trace ID of its attempt, or of a payment by its idempotency key. */
	trace(name: string): Trace | undefined;
}
