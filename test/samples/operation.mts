import type { IDataObject } from 'n8n-workflow';

import { table } from './table.mts';

/** What the contract and the interface document (§) say of an operation. Tests, docs and the demo read it from here. */
export interface OperationSample {
	/** Effect and access level. */
	is: string;
	/** Parameters by the names that workflows save, with the value of a new node. Options have a plus. */
	parameters: string;
	/** Values of the parameters, with which the simulator accepts the request. */
	given: IDataObject;
	/** As in §4, with parameters in braces. Undefined if the operation sends nothing. */
	request?: [line: string, body?: object, headers?: object];
	/** Reply of the service, as the document shows it. */
	reply?: unknown;
	/** First item. The idempotency key is `key`, and the trace ID `trace-1`. */
	item: IDataObject;
	/** What it says of the whole run. */
	hint?: string;
	/** Errors of the service that it explains: status, code, message and fix. */
	errors: string[];
	/** A value that each parameter refuses, with the message. */
	refused: Record<string, [value: unknown, message: string]>;
}

export const SENT = { idempotency_key: 'key', trace_id: 'trace-1' };
export const RIGHT = 'and that the credential is for the right environment.';

const EXPRESSION = 'Check its expression.';
type Refused = [value: unknown, message: string];
/** Refusals from a text table: the parameter, the value, the message and what to do. */
export const refusals = (rows: string): Record<string, Refused> =>
	Object.fromEntries(
		table<[string, unknown, string, string]>(rows).map(([parameter, value, message, fix]) => [
			parameter,
			[value, `${message} | ${fix}`],
		]),
	);
/** Refusals that several fields share. */
export const no = {
	flag: (label: string): Refused => ['true', `${label} is neither true nor false | ${EXPRESSION}`],
	id: (label: string): Refused => [
		'..',
		`${label} is not an ID | Enter it as the service shows it.`,
	],
	path: (label: string, value: string): Refused => [
		value,
		`${label} is "${value}", not a path below the Base URL | Enter what follows the Base URL, without query parameters, e.g. /management/clients.`,
	],
	text: (label: string): Refused => [true, `${label} is not a text | ${EXPRESSION}`],
};
export const DRY_RUN = { dryRun: no.flag('Dry Run') };
export const ROWS: Refused = [
	{ parameter: [{ value: 'a' }] },
	'Query Parameters has a row without a name | Enter it.',
];
export const LIST: OperationSample['refused'] = {
	returnAll: no.flag('Return All'),
	limit: [0, 'Limit is not a whole number of 1 or more | Enter a number, or turn on Return All.'],
};
