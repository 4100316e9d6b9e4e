/** The types that flow through a run: Operation → Values → ServiceRequest → Reply → Result. */

import type { IDataObject } from 'n8n-workflow';

import type { KnownError } from '../../shared/problem';
import { option, type Fields, type Values } from '../fields/field';
import { flag } from '../fields/kinds';
import type { Effect, Reply, ServiceRequest } from '../service/request';

/** Items, end and files that a reply brings. */
export interface Output {
	items: IDataObject[];
	/** End of an accepted write, by default `done`. */
	outcome?: 'done' | 'pending' | 'failed';
	/** Files by the name of their binary field. */
	files?: Record<string, File>;
}

export interface File {
	bytes: Buffer;
	name: string;
	type: string;
}

/** Identity of a payment, and the limit of its run. */
export interface PaymentValues {
	reference: string;
	/** Account, wallet, recipient, token and amount, in one spelling. */
	values: string[];
	amount: string;
	maximumTotal?: string;
	allowEqual?: boolean;
}

interface Declared<Own extends Fields> {
	name: string;
	action: string;
	description: string;
	fields: Own;
}

/** Operation that sends a request. Panel, run and docs follow from this value. */
export interface RequestOperation<Own extends Fields = Fields> extends Declared<Own> {
	kind: 'request';
	effect: Effect | ((values: Values<Own>) => Effect);
	/** Access level of the key (§5.2), for the message of a 401 or 403. */
	level?: 1 | 2 | 3;
	errors?: KnownError[];
	/** True for a write that no agent may send. */
	movesMoney?: true;
	/**
	 * Checks rules that concern several fields.
	 * @throws Problem
	 */
	check?(values: Values<Own>): void;
	request(values: Values<Own>): ServiceRequest;
	/** Fields of each item of the write, also of a failed one. What could not be read is missing from `values`. */
	subject?(values: Partial<Values<Own>>): IDataObject;
	/** The write in words, for its summary. Undefined if they could not be read. */
	say?(values: Partial<Values<Own>>, item?: IDataObject): string | undefined;
	/** @throws Problem for a reply of another kind */
	output(reply: Reply, values: Values<Own>): Output;
	/** Required for the effect `payment`. */
	payment?(values: Values<Own>): PaymentValues;
}

/** Operation that sends nothing. */
export interface Calculation<Own extends Fields = Fields> extends Declared<Own> {
	kind: 'calculation';
	/** Says in words what is calculated, for the summary of an item that cannot be. */
	say?(values: Partial<Values<Own>>): string | undefined;
	/**
	 * @returns undefined for no item
	 * @throws Problem
	 */
	calculate(values: Values<Own>): IDataObject | undefined;
	/** Hint of the run about its items. */
	tell?(items: IDataObject[]): string;
}

/** Operation that answers the waiting authorization (§6.3). */
export interface AnswerOperation<Own extends Fields = Fields> extends Declared<Own> {
	kind: 'answer';
	responseCode(values: Values<Own>): string;
}

export type Operation = RequestOperation | Calculation | AnswerOperation;

const dryRun = option(
	flag('Dry Run', 'Whether to check everything and show the request without sending it', true),
);

/** Declares an operation with a request. A write gets the option Dry Run. */
export function operation<Own extends Fields>(
	declared: Omit<RequestOperation<Own>, 'kind'>,
): RequestOperation {
	const { effect, fields } = declared;
	const all = effect === 'read' ? fields : { ...fields, dryRun };
	return { ...(declared as unknown as RequestOperation), kind: 'request', fields: all };
}

export const calculation = <Own extends Fields>(
	declared: Omit<Calculation<Own>, 'kind'>,
): Calculation => ({ ...(declared as unknown as Calculation), kind: 'calculation' });

export const answering = <Own extends Fields>(
	declared: Omit<AnswerOperation<Own>, 'kind'>,
): AnswerOperation => ({ ...(declared as unknown as AnswerOperation), kind: 'answer' });

/** Group of operations on one kind of thing. */
export interface Resource {
	/** Begins with the product (§1), so that the sorted list groups the resources of a product. */
	displayName: string;
	/** Operation that a new node shows. */
	default: string;
	/** Operations by the names that workflows save. */
	operations: Record<string, Operation>;
}

export const notFound = (thing: string, fields: string): KnownError => ({
	status: 404,
	message: `${thing} not found`,
	fix: `Check ${fields}, and that the credential is for the right environment.`,
});

export const unknownCard = notFound('Card', 'Card ID');
