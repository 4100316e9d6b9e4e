import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { DECLINE, isResponseCode } from '../service/authorizationAnswer';
import { chosenEvents } from './route';

/** The trigger's parameters as the receiving of a delivery needs them. */
export interface Settings {
	events: string[];
	authorizationDecision: 'rules' | 'workflow';
	/** The parameter as it is; `readRules` reads it. */
	rules: unknown;
	defaultResponseCode: string;
	deadlineMs: number;
	/** Empty = send no answer. */
	fallbackResponseCode: string;
	maximumAgeSeconds: number;
	ignoreDuplicates: boolean;
	runWorkflowFor: 'all' | 'declined' | 'none';
}

/** Below the service's 1,200 ms (§6.4) by what the way there and back may take. */
export const DEADLINE_MS = { least: 100, most: 1_150 } as const;

export const DEFAULT_DEADLINE_MS = 1_000;

/** Reads the parameters. A value that the editor would not let through is replaced by the safe one. */
export function readSettings(context: IWebhookFunctions | IHookFunctions): Settings {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const code = (name: string) => String(context.getNodeParameter(name, DECLINE) ?? '').trim();
	const fallback = code('fallbackResponseCode');
	const age = Number(options.maximumAgeSeconds ?? 0);
	const runFor = options.runWorkflowFor;
	return {
		events: chosenEvents(context.getNodeParameter('events', [])),
		authorizationDecision:
			context.getNodeParameter('authorizationDecision', 'rules') === 'workflow'
				? 'workflow'
				: 'rules',
		rules: context.getNodeParameter('rules', {}),
		defaultResponseCode: code('defaultResponseCode'),
		deadlineMs: readDeadline(context.getNodeParameter('deadlineMs', DEFAULT_DEADLINE_MS)),
		fallbackResponseCode: fallback === '' || isResponseCode(fallback) ? fallback : DECLINE,
		maximumAgeSeconds: Number.isFinite(age) && age > 0 ? age : 0,
		ignoreDuplicates: options.ignoreDuplicates !== false,
		runWorkflowFor: runFor === 'declined' || runFor === 'none' ? runFor : 'all',
	};
}

function readDeadline(value: unknown): number {
	const ms = typeof value === 'number' && Number.isFinite(value) ? value : DEFAULT_DEADLINE_MS;
	return Math.min(Math.max(ms, DEADLINE_MS.least), DEADLINE_MS.most);
}
