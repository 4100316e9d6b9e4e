import { compareDecimals } from '../../shared/decimal';
import { listProblem } from '../../shared/fields/address';
import { amount } from '../../shared/fields/amount';
import { choice, labelOf, numberOf } from '../../shared/fields/choice';
import { field, FieldContext, notice, shownWhen, type Ui } from '../../shared/fields/field';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import { isEmpty } from '../../shared/fields/source';
import { readTexts } from '../../shared/fields/text';
import type { Caller } from '../request/input';
import type { ItemField, ItemSource } from './itemFields';

const ENTER = 'Enter a value: an empty limit is refused, because it would limit nothing.';
const CORRECT = 'Correct it.';

/**
 * Safety option. If the option is present, it must have a value.
 * @param asTool `required`: refuses an agent's call without the option
 */
export function guard<Value>(
	guarded: ItemField<Value>,
	asTool: 'optional' | 'required' = 'optional',
): ItemField<Value | undefined> {
	const { label } = guarded;
	return usersOwn(guarded, OPTIONAL, (given) => {
		const { source, name } = given;
		if (!source.has(name)) {
			if (asTool === 'optional' || !source.caller.isTool) return undefined;
			return given.refuse(
				'is not set, and an AI agent is using this node',
				source.caller.isAssistant
					? IN_A_WORKFLOW
					: `Set ${label} in the options of the tool, as a fixed value.`,
			);
		}
		if (isEmpty(given.value)) return given.refuseEmpty(ENTER);
		return guarded.read(source, name);
	});
}

/**
 * Required safety parameter.
 * @param fix tells what to enter
 */
function requiredGuard<Value>(guarded: ItemField<Value>, fix: string): ItemField<Value> {
	return usersOwn(guarded, { required: true }, (given) => {
		const { source, name } = given;
		if (isEmpty(given.value))
			return given.refuseEmpty(source.caller.isAssistant ? IN_A_WORKFLOW : fix);
		return guarded.read(source, name);
	});
}

/** Field that an agent must not fill in. In a tool, n8n shows no button that lets the model fill in the field. */
export function usersOwn<Value>(
	guarded: ItemField<unknown>,
	ui: Ui,
	read: (given: FieldContext<ItemSource>) => Value,
): ItemField<Value> {
	return {
		label: guarded.label,
		...(guarded.look && { look: guarded.look }),
		refusesExpressions: ({ caller }) => caller.isTool,
		property: (name, method) =>
			[guarded.property(name, method)].flat().flatMap((property) => [
				{ ...property, ...ui, displayOptions: { hide: { '@tool': [true] } } },
				{
					...property,
					...ui,
					noDataExpression: true,
					displayOptions: { show: { '@tool': [true] } },
				},
			]),
		read: (source, name) => {
			const given = new FieldContext(guarded.label, source, name);
			refuseFromAgent(given);
			return read(given);
		},
	};
}

/** Override for guards: an option may be left out, even if the wrapped field is required. */
export const OPTIONAL = { required: undefined };

const IN_A_WORKFLOW =
	"Put this node into a workflow, with limits that a person enters, and run that: n8n's AI assistant must not set its own.";

/** True if a person entered this value as fixed text. In a tool, even an expression may read values from the agent. */
export function isUsersOwn(raw: unknown, { isAssistant }: Caller): boolean {
	return typeof raw === 'string' && !raw.startsWith('=') && !isAssistant;
}

/** Refuses a guard that an agent filled in, because agents must not set their own limits. */
function refuseFromAgent({ raw, source: { caller }, refuse }: FieldContext<ItemSource>): void {
	const isAgents =
		/\$fromai/i.test(JSON.stringify(raw ?? '')) ||
		(caller.isAssistant === true && raw !== undefined);
	const mayBeAgents = caller.isTool && [raw].flat().some(mayHoldExpression);
	if (!isAgents && !mayBeAgents) return;
	refuse(
		isAgents ? 'is filled in by the AI agent' : 'is an expression in a tool',
		caller.isAssistant
			? IN_A_WORKFLOW
			: 'Enter it yourself, as a fixed value: an agent must not set its own limits.',
	);
}

const mayHoldExpression = (raw: unknown): boolean => typeof raw === 'string' && /^=|\{\{/.test(raw);

/** Notice in a tool, shown before the first call. A call without guards is refused. */
export const toolNotice = (text: string) => shownWhen({ '@tool': [true] }, notice(text));

/** @param unit full sentence that names the unit of the amounts */
export const maximumAmount = (unit: string): ItemField<string | undefined> =>
	guard(
		amount('Maximum Amount', {
			placeholder: 'e.g. 5000',
			description: `${unit} A larger amount is rejected before anything is sent. Required when an AI agent uses this node.`,
		}),
		'required',
	);

/**
 * Maximum Amount as a required parameter.
 * @param unit full sentence that names the unit of the amounts
 */
export const requiredMaximumAmount = (unit: string): ItemField<string> =>
	requiredGuard(
		amount('Maximum Amount', {
			placeholder: 'e.g. 5000',
			description: `${unit} A larger amount is rejected before anything is sent.`,
		}),
		'Enter the most that one item may send. In the tool of an AI agent, enter it as a fixed value.',
	);

/**
 * Refuses an amount above the user's limit. Both values are compared exactly.
 * @param balance of a sweep, which has no field Amount
 * @throws InvalidFieldError
 */
export function refuseAbove(given: string, maximum: string | undefined, balance?: string): void {
	if (maximum === undefined || compareDecimals(given, maximum) <= 0) return;
	const above = `above the Maximum Amount of ${maximum}`;
	const raise = 'Raise Maximum Amount only if this amount is intended.';
	throw balance === undefined
		? new InvalidFieldError(
				'Amount',
				`is ${given}, ${above}`,
				`Check where the amount comes from. ${raise}`,
			)
		: new InvalidFieldError(
				'Balance',
				`is ${balance}, so ${given} would be sent, ${above}`,
				`Check the balance. To send a part, set Sweep Maximum in the options to at most ${maximum}. ${raise}`,
			);
}

/** @throws InvalidFieldError if an agent can choose the recipient and Allowed Recipients is not set */
export function refuseAgentsRecipient(allowed: string[] | undefined, caller: Caller): void {
	if (!caller.isTool || allowed !== undefined || isUsersOwn(caller.rawParameters.to, caller))
		return;
	throw new InvalidFieldError(
		'Allowed Recipients',
		'is not set, and an AI agent can fill in the Recipient Address',
		'Set Allowed Recipients in the options of the tool, as a fixed value, or enter the Recipient Address yourself.',
	);
}

/** Path, fixed or an expression, that begins with a whole segment of the user's. */
const HAS_BEGINNING = /^=?\s*\/[^/\s{}?#]+(?:\/|\s*$)/;

/**
 * Lets an agent read only below a path that the user began, because the key may read more than the agent should.
 * @param label label of the parameter `path`
 * @throws InvalidFieldError
 */
export function refuseAgentsPath(label: string, caller: Caller): void {
	const { path: raw } = caller.rawParameters;
	if (!caller.isTool || isUsersOwn(raw, caller)) return;
	if (typeof raw === 'string' && HAS_BEGINNING.test(raw) && !caller.isAssistant) return;
	throw new InvalidFieldError(
		label,
		'has no fixed beginning, and an AI agent is using this node',
		'Begin it with text of your own, for example /cards/individual-cards/ before what the agent fills in.',
	);
}

/** Maximum number of items per run. */
export function maximumCount(label: string, description: string): ItemField<number | undefined> {
	const typeOptions = { minValue: 1 };
	return guard(
		field(label, { type: 'number', typeOptions, default: 1, description }, ({ value, refuse }) => {
			const count = numberOf(value);
			return Number.isSafeInteger(count) && count >= 1
				? count
				: refuse('is not a whole number of 1 or more', CORRECT);
		}),
	);
}

/** Addresses as a text, or as a list from an expression. Never empty. */
export function guardedAddresses(
	label: string,
	description: string,
): ItemField<string[] | undefined> {
	return guard({
		...field(label, { typeOptions: { rows: 3 }, description }, (given) => {
			const texts = readTexts(given);
			if (texts.length === 0) return given.refuseEmpty(ENTER);
			const problem = listProblem(texts);
			return problem ? given.refuse(...problem) : texts;
		}),
		look: { takes: 'list' },
	});
}

const ENVIRONMENTS = { sandbox: 'Sandbox', production: 'Production' };

export const onlyInEnvironment = guard(
	choice('Only in Environment', ENVIRONMENTS, {
		description: 'Nothing is sent if the credential is for the other environment',
	}),
);

/** @throws InvalidFieldError if the credential belongs to the other environment */
export function refuseOtherEnvironment(
	only: 'sandbox' | 'production' | undefined,
	{ environment }: Caller,
): void {
	if (only === undefined || only === environment) return;
	throw new InvalidFieldError(
		'Only in Environment',
		`is ${labelOf(ENVIRONMENTS, only)}, but the credential is for ${labelOf(ENVIRONMENTS, environment)}`,
		'Choose a credential of that environment, or change the option.',
	);
}
