import { otherCode, responseCodeOf } from '../../fields/decision';
import { InvalidFieldError, orInvalidNow } from '../../fields/invalidField';
import { sourceFrom } from '../../fields/source';
import { DECLINE } from '../../service/authorizationAnswer';
import { compareDecimals, isDecimal } from '../../service/decimal';
import { isObject } from '../../service/isObject';
import { isBetween, isOneOf, mccIsIn, nameContains, type Condition } from './conditions';

export interface Rule {
	name: string;
	responseCode: string;
	/** Every one must hold; a rule without conditions matches every authorization. */
	conditions: Condition[];
	/** It never decides. */
	observeOnly: boolean;
	readable: boolean;
}

/** The parameter `rules` as it was read. */
export interface ReadRules {
	rules: Rule[];
	/** A rule that would decide cannot be read, so every authorization is declined. */
	declineAll: boolean;
	/** What is wrong, as full sentences for the user. */
	problems: string[];
}

/** Tells what is wrong with a field, by its name in the panel. */
type AddProblem = (field: string, reason: string) => void;

/** Reads the value of the parameter `rules`. */
export function readRules(parameter: unknown): ReadRules {
	const entries = isObject(parameter) ? ('rule' in parameter ? parameter.rule : []) : undefined;
	if (!Array.isArray(entries)) {
		const problem = 'Rules could not be read. Check the expression, or remove the rules.';
		return { rules: [], declineAll: true, problems: [problem] };
	}
	const problems: string[] = [];
	const rules = entries.map((entry: unknown, index) =>
		readRule(isObject(entry) ? entry : { conditions: undefined }, index, problems),
	);
	return {
		rules,
		declineAll: rules.some(({ readable, observeOnly }) => !readable && !observeOnly),
		problems,
	};
}

function readRule(fields: Record<string, unknown>, index: number, problems: string[]): Rule {
	const name = textOf(fields.name) || `Rule ${index + 1}`;
	const before = problems.length;
	const addProblem: AddProblem = (field, reason) =>
		problems.push(`Rule "${name}": ${field} ${reason}.`);
	// A saved workflow leaves out what has its default.
	const decision = 'decision' in fields ? fields.decision : 'decline';
	const code = chosenCode(decision, fields.responseCode, {
		decision: 'Decision',
		code: 'Response Code',
	});
	if (code instanceof InvalidFieldError) problems.push(`Rule "${name}": ${sentencesOf(code)}`);
	const observeOnly = 'observeOnly' in fields ? fields.observeOnly : false;
	if (typeof observeOnly !== 'boolean')
		addProblem('Observe Only', 'must be true or false, and the expression gives neither');
	const conditions = readConditions('conditions' in fields ? fields.conditions : {}, addProblem);
	return {
		name,
		responseCode: typeof code === 'string' ? code : DECLINE,
		conditions,
		observeOnly: observeOnly === true,
		readable: problems.length === before,
	};
}

/** The code of a choice between Approve, Decline and Other Code. @param labels of the two fields */
export function chosenCode(
	decision: unknown,
	code: unknown,
	labels: { decision: string; code: string },
): string | InvalidFieldError {
	if (decision === 'approve' || decision === 'decline') return responseCodeOf(decision, undefined);
	if (decision !== 'other') {
		const fix = 'Choose Approve, Decline or Other Code.';
		return new InvalidFieldError(labels.decision, 'is not one of the choices', fix);
	}
	const source = sourceFrom({ code }, undefined, {});
	return orInvalidNow(() => otherCode(labels.code, {}).read(source, 'code'));
}

/** What is wrong and what to do about it, as full sentences. */
export function sentencesOf({ message, fix }: InvalidFieldError): string {
	return `${message}. ${fix}`;
}

/** Reads a condition's text, and gives the condition or what is wrong. */
type ReadCondition = (text: string, amountFrom: string | undefined) => Condition | string;

/** Each condition of the panel: its label, and how its text is read. */
const CONDITIONS: Record<string, [label: string, read: ReadCondition]> = {
	amountFrom: ['Amount From', (text) => amount(text) ?? isBetween(text, undefined)],
	amountTo: ['Amount To', (text, from) => amount(text) ?? isBetween(from, text)],
	currencies: ['Currencies', listOf('bill_currency_code', 'any case')],
	mccCodes: ['MCC Codes', mccCodes],
	merchantCountries: ['Merchant Countries', listOf('merchant_data.country', 'any case')],
	merchantName: ['Merchant Name', nameContains],
	channels: ['Channels', listOf('channel', 'any case')],
	cardIds: ['Card IDs', listOf('card_id', 'exact')],
};

/** A condition that is there without a value is a problem: without it the rule would match more than its author meant. */
function readConditions(given: unknown, addProblem: AddProblem): Condition[] {
	if (!isObject(given)) {
		addProblem('Conditions', 'could not be read. Check the expression, or remove them');
		return [];
	}
	const [from, to] = [given.amountFrom, given.amountTo].map((value) =>
		isDecimal(textOf(value)) ? textOf(value) : undefined,
	);
	if (from !== undefined && to !== undefined && compareDecimals(from, to) > 0)
		addProblem('Amount From', 'must not be greater than Amount To');
	return Object.entries(given).flatMap(([field, value]) => {
		const [label, read] = (Object.hasOwn(CONDITIONS, field) && CONDITIONS[field]) || [field];
		const condition = readCondition(textOf(value), read, from);
		if (typeof condition !== 'string') return [condition];
		addProblem(label, condition);
		return [];
	});
}

/** The condition, or what is wrong with it. */
function readCondition(
	text: string,
	read: ReadCondition | undefined,
	amountFrom: string | undefined,
): Condition | string {
	if (read === undefined) return 'is not a condition that this node knows. Remove it';
	return text === '' ? 'is empty. Enter a value, or remove the condition' : read(text, amountFrom);
}

/** What is wrong with an amount; undefined when it is one. */
function amount(text: string): string | undefined {
	if (isDecimal(text)) return undefined;
	return `${describeValue(text)} is not valid. Use digits and a decimal point only, for example 1000.50`;
}

function listOf(path: string, letterCase: 'exact' | 'any case') {
	return (text: string): Condition | string => {
		const entries = entriesOf(text);
		return entries.length > 0 ? isOneOf(path, entries, letterCase) : NO_ENTRIES;
	};
}

const NO_ENTRIES = 'has no entries, only commas. Enter a value, or remove the condition';

function mccCodes(text: string): Condition | string {
	const entries = entriesOf(text);
	if (entries.length === 0) return NO_ENTRIES;
	const ranges = entries.map(mccRange);
	const wrong = entries.find((_, position) => ranges[position] === undefined);
	if (wrong !== undefined)
		return `must be 4-digit codes or ranges such as 6010-6012, not ${describeValue(wrong)}`;
	return mccIsIn(ranges.filter((range) => range !== undefined));
}

/** First and last code of an entry; undefined when it is neither a code nor a range. */
function mccRange(entry: string): [number, number] | undefined {
	const match = /^(\d{4})(?:\s*-\s*(\d{4}))?$/.exec(entry);
	if (match === null) return undefined;
	const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
	return first <= last ? [first, last] : undefined;
}

/** Comma-separated entries, trimmed. */
function entriesOf(text: string): string[] {
	return text
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** An expression may give a number where the panel has a text field. */
function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** What a user entered, shortened for a message. */
function describeValue(text: string): string {
	return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
