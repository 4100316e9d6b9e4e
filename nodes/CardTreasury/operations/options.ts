import { numberOf } from '../../shared/fields/choice';
import { field, readFields, type Field, type Ui } from '../../shared/fields/field';
import { SERVICE_RATE } from '../../shared/serviceRate';
import type { Effect } from '../request/request';
import type { RetryPolicy } from '../request/retryPolicy';
import type { ItemFields, ItemSource } from './itemFields';

/** Options that every operation has. Derived from the effect, so that no operation can omit them. */
export interface CommonOptions {
	policy: RetryPolicy;
	dryRun: boolean;
}

/** Values of absent options. The panel shows the same defaults. */
const DEFAULTS = { maxAttempts: 5, maxTotalSeconds: 120, requestsPerSecond: SERVICE_RATE };

/** Returns the fields of the common options, guards before retry settings. */
export function commonOptions(effect: Effect | 'by request', timeoutMs: number): ItemFields {
	return {
		...(effect === 'read' ? {} : { dryRun }),
		maxAttempts: retryNumber({
			displayName: 'Maximum Attempts',
			max: 20,
			fallback: DEFAULTS.maxAttempts,
			description:
				'Maximum number of times that a request is sent while the service is busy or cannot be reached. A write without an idempotency key is not sent again while its outcome is unknown.',
		}),
		maxTotalSeconds: retryNumber({
			displayName: 'Maximum Total Time (Seconds)',
			max: 3600,
			fallback: DEFAULTS.maxTotalSeconds,
			description: 'No further attempt starts after this time',
		}),
		requestsPerSecond: retryNumber({
			displayName: 'Requests per Second',
			max: SERVICE_RATE,
			fallback: DEFAULTS.requestsPerSecond,
			description:
				'Maximum number of requests per second from this node. The service accepts 15 per second in total.',
		}),
		timeoutSeconds: retryNumber({
			displayName: 'Timeout per Attempt (Seconds)',
			max: 300,
			fallback: timeoutMs / 1000,
			description: 'An attempt without an answer by then counts as failed',
		}),
	};
}

export function readCommonOptions(fields: ItemFields, source: ItemSource): CommonOptions {
	const read = readFields(fields, source);
	return {
		policy: {
			maxAttempts: Math.ceil(Number(read.maxAttempts)),
			maxTotalMs: Number(read.maxTotalSeconds) * 1000,
			requestsPerSecond: Number(read.requestsPerSecond),
			timeoutMs: Number(read.timeoutSeconds) * 1000,
		},
		dryRun: read.dryRun === true,
	};
}

function retryNumber(info: {
	displayName: string;
	max: number;
	fallback: number;
	description: string;
}): Field<number> {
	const { displayName, max, fallback, description } = info;
	const ui: Ui = {
		type: 'number',
		typeOptions: { minValue: max === SERVICE_RATE ? 0.1 : 1, maxValue: max, numberPrecision: 1 },
		default: fallback,
		description,
	};
	return field(displayName, ui, ({ value, refuse }) => {
		const number = numberOf(value ?? fallback);
		return number > 0 && number <= max
			? number
			: refuse(`must be more than 0 and at most ${max}`, 'Correct it, or remove the option.');
	});
}

/** Option that must not be empty: an empty expression must not turn a dry run into a real one. */
const dryRun = field(
	'Dry Run',
	{
		type: 'boolean',
		default: true,
		description: 'Whether to check everything and show the request without sending it',
	},
	({ value, source, name, refuse }) => {
		if (!source.has(name)) return false;
		return typeof value === 'boolean'
			? value
			: refuse(
					'is neither true nor false',
					'Check its expression, or remove the option to send the request.',
				);
	},
);
