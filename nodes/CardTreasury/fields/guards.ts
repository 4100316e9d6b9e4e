import { compareDecimals } from '../../service/decimal';
import { InvalidFieldError } from '../../fields/invalidField';
import type { Caller } from '../input';
import { amount } from '../../fields/amount';
import { isEmpty, missing, notice, shownWhen } from '../../fields/field';
import type { ItemField, ItemSource } from './item';
import { choice, labelOf, readTexts } from '../../fields/values';

/**
 * An option that protects the user: absent, or with a value, never present without one. It must be the user's own, so
 * that as a tool's it has no button by which n8n lets the model fill it in.
 */
export function guard<Value>(
	displayName: string,
	field: ItemField<Value>,
	asTool: 'optional' | 'required' = 'optional',
): ItemField<Value | undefined> {
	return {
		refusesExpressions: ({ caller }) => caller.isTool,
		property: (name, method) =>
			[field.property(name, method)].flat().flatMap((property) => [
				{ ...property, displayOptions: { hide: { '@tool': [true] } } },
				{ ...property, noDataExpression: true, displayOptions: { show: { '@tool': [true] } } },
			]),
		read: async (source, name) => {
			refuseFromAgent(source, name, displayName);
			if (!source.has(name)) {
				if (asTool === 'optional' || !source.caller.isTool) return undefined;
				throw new InvalidFieldError(
					displayName,
					'is not set, and an AI agent is using this node',
					source.caller.isAssistant
						? IN_A_WORKFLOW
						: `Set ${displayName} in the options of the tool, as a fixed value.`,
				);
			}
			if (isEmpty(source.get(name))) {
				throw missing(source, name, displayName, 'Enter a value, or remove the option.');
			}
			return await field.read(source, name);
		},
	};
}

const IN_A_WORKFLOW =
	"Put this node into a workflow, with limits that a person enters, and run that: n8n's AI assistant must not set its own.";

/** Whether the user entered this value: what an expression of a tool reads may come from the agent. */
export function isUsersOwn(raw: unknown, { isAssistant }: Caller): boolean {
	return typeof raw === 'string' && !raw.startsWith('=') && !isAssistant;
}

/** An agent that fills in a guard sets its own limit. */
function refuseFromAgent({ raw, caller }: ItemSource, name: string, label: string): void {
	const value = raw(name);
	const isAgents =
		/\$fromai/i.test(JSON.stringify(value ?? '')) ||
		(caller.isAssistant === true && value !== undefined);
	const isExpression = caller.isTool && typeof value === 'string' && /^=|\{\{/.test(value);
	if (!isAgents && !isExpression) return;
	throw new InvalidFieldError(
		label,
		isAgents ? 'is filled in by the AI agent' : 'is an expression in a tool',
		caller.isAssistant
			? IN_A_WORKFLOW
			: 'Enter it yourself, as a fixed value: an agent must not set its own limits.',
	);
}

/** Shown before the first call, because without its guards every call is refused. */
export const toolNotice = (more = '') =>
	shownWhen(
		{ '@tool': [true] },
		notice(
			`An AI agent can use this only if you set a Maximum Amount in the options yourself.${more}`,
		),
	);

export const maximumAmount = guard(
	'Maximum Amount',
	amount('Maximum Amount', {
		required: false,
		placeholder: 'e.g. 5000',
		description:
			'A larger amount is rejected before anything is sent. Required when an AI agent uses this node.',
	}),
	'required',
);

/** @throws InvalidFieldError when the amount is above the limit that the user set; both are exact */
export function refuseAbove(given: string, maximum: string | undefined): void {
	if (maximum === undefined || compareDecimals(given, maximum) <= 0) return;
	throw new InvalidFieldError(
		'Amount',
		`is ${given}, above the Maximum Amount of ${maximum}`,
		'Check where the amount comes from. Raise Maximum Amount only if this amount is intended.',
	);
}

/** @throws InvalidFieldError when an agent names a recipient that no list of the user holds it to */
export function refuseAgentsRecipient(allowed: string[] | undefined, caller: Caller): void {
	if (!caller.isTool || allowed !== undefined || isUsersOwn(caller.rawParameters.to, caller))
		return;
	throw new InvalidFieldError(
		'Allowed Recipients',
		'is not set, and an AI agent can fill in the Recipient Address',
		'Set Allowed Recipients in the options of the tool, as a fixed value, or enter the Recipient Address yourself.',
	);
}

/** How many items of a run may do it. */
export function maximumCount(
	displayName: string,
	description: string,
): ItemField<number | undefined> {
	return guard(displayName, {
		property: (name) => ({
			displayName,
			name,
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description,
		}),
		read: (source, name) => {
			const value = Number(source.get(name));
			if (Number.isSafeInteger(value) && value >= 1) return value;
			throw new InvalidFieldError(
				displayName,
				'is not a whole number of 1 or more',
				'Correct it, or remove the option.',
			);
		},
	});
}

/** Comma-separated, or a list that an expression gives; never empty. */
export function guardedTexts(
	displayName: string,
	description: string,
): ItemField<string[] | undefined> {
	return guard(displayName, {
		property: (name) => ({
			displayName,
			name,
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description,
		}),
		read: (source, name) => {
			const texts = readTexts(source, name, displayName);
			if (texts.length > 0) return texts;
			throw missing(source, name, displayName, 'Enter a value, or remove the option.');
		},
	});
}

const ENVIRONMENTS = { sandbox: 'Sandbox', production: 'Production' };

export const onlyInEnvironment = guard(
	'Only in Environment',
	choice('Only in Environment', ENVIRONMENTS, {
		description: 'Nothing is sent if the credential is for the other environment',
	}),
);

/** n8n reviews only what an agent asks for, so that the option is for tools alone. */
export const requireHumanReview: ItemField<undefined> = {
	property: (name) => ({
		displayName: 'Require Human Review',
		name,
		type: 'boolean',
		default: true,
		noDataExpression: true,
		displayOptions: { show: { '@tool': [true] } },
		description:
			"Whether to refuse every call of an AI agent that no person has approved in n8n's human review",
	}),
	read: (source, name) => {
		refuseFromAgent(source, name, 'Require Human Review');
		if (!source.has(name)) return undefined;
		const value = source.get(name);
		if (typeof value !== 'boolean') {
			throw new InvalidFieldError(
				'Require Human Review',
				'is neither true nor false',
				'Correct it, or remove the option.',
			);
		}
		const why = value && source.caller.isTool ? source.caller.whyUnreviewed() : undefined;
		if (why) throw new InvalidFieldError('Require Human Review', why.reason, why.fix);
		return undefined;
	},
};

/** @throws InvalidFieldError when the credential belongs to the other environment */
export function refuseOtherEnvironment(
	only: Caller['environment'] | undefined,
	{ environment }: Caller,
): void {
	if (only === undefined || only === environment) return;
	throw new InvalidFieldError(
		'Only in Environment',
		`is ${labelOf(ENVIRONMENTS, only)}, but the credential is for ${labelOf(ENVIRONMENTS, environment)}`,
		'Choose a credential of that environment, or change the option.',
	);
}
