import type { Subscription } from '../outbox.mts';

interface Person {
	id: string;
	name: string;
}

/** Message of the company's chat. */
interface Message {
	ts: string;
	thread?: string;
	at: string;
	channel: string;
	text: string;
	buttons: Button[];
	isPrivate?: true;
	updated?: { text: string; buttons: Button[] };
}

interface Button {
	label: string;
	/** Link that a click opens; empty if the chat reports the click. */
	url: string;
}

interface Mail {
	at: string;
	to: string;
	subject: string;
	text: string;
	html?: string;
}

/** Step that the page offers first. */
export interface Step {
	name: string;
	title: string;
	text: string;
	/** Label of its button. */
	button: string;
	/** Tab that shows the result. */
	shows: 'inbox' | 'money' | 'events';
	/** True if the button opens that tab. */
	opens?: true;
	run(): Promise<void>;
	state(): 'open' | 'waiting' | 'done';
	/** What its runs have come to, in words. */
	result?(): string | undefined;
	/** Latest execution in n8n. */
	execution(): string | undefined;
}

/** What an execution of the company's workflows says about an event or a payment. */
export interface Trace {
	/** URL in n8n. */
	execution: string;
	/** Payment reference; the service never gets it. */
	reference?: string;
	/** Sentence about the result. */
	summary?: string;
	/** `decision` of an authorization. */
	decision?: { outcome?: string; source?: string; rule?: string; answered_in_ms?: number };
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
	workflows: Array<{ name: string; url: string; about: string }>;
	people: readonly Person[];
	messages: readonly Message[];
	mails: readonly Mail[];
	targets: readonly Target[];
	steps: readonly Step[];
	/** Presses a button of a message as a person. */
	press(ts: string, label: string, person: Person): Promise<void>;
	/** Trace of a delivery by the trace ID of its attempt, or of a payment by its idempotency key. */
	trace(id: string): Trace | undefined;
}
