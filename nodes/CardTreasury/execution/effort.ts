import type { INodeProperties } from 'n8n-workflow';

import { FieldRefusal, type ParameterReader } from '../parameters/reader';
import { SERVICE_RATE } from '../request/pacer';
import type { Effort } from '../request/pipeline';

/** What an absent option means; the same figures stand as defaults in the panel. */
const DEFAULTS = { maxTries: 5, maxTotalSeconds: 120, requestsPerSecond: SERVICE_RATE };

const OPTIONS: INodeProperties[] = [
	{
		displayName: 'Maximum Total Time',
		name: 'maxTotalSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 120,
		description: 'In seconds. No further try begins after it.',
	},
	{
		displayName: 'Maximum Tries',
		name: 'maxTries',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 20 },
		default: 5,
		description:
			'How often a request is tried when the service cannot be reached or is busy. Requests that might happen twice are never repeated.',
	},
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0.1, maxValue: SERVICE_RATE, numberPrecision: 1 },
		default: 15,
		description: 'Lower it when several n8n workers share the limit of 15 per second',
	},
	{
		displayName: 'Timeout per Try',
		name: 'timeoutSeconds',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 300 },
		default: 30,
		description: 'In seconds. A try without an answer by then counts as failed.',
	},
];

/** Options that every operation with a request has; `timeoutMs` is how long a try of this one may take. */
export function effortOptions(timeoutMs: number): INodeProperties[] {
	return OPTIONS.map((option) =>
		option.name === 'timeoutSeconds' ? { ...option, default: timeoutMs / 1000 } : option,
	);
}

export function readEffort(parameters: ParameterReader, timeoutMs: number): Effort {
	const defaults = { ...DEFAULTS, timeoutSeconds: timeoutMs / 1000 };
	const read = (name: keyof typeof defaults, label: string, most: number) => {
		const value = Number(parameters.get(`options.${name}`) ?? defaults[name]);
		if (!(value > 0 && value <= most)) {
			throw new FieldRefusal(
				label,
				`must be more than 0 and at most ${most}`,
				'Correct it, or remove the option.',
			);
		}
		return value;
	};
	return {
		maxTries: Math.ceil(read('maxTries', 'Maximum Tries', 20)),
		maxTotalMs: read('maxTotalSeconds', 'Maximum Total Time', 3600) * 1000,
		requestsPerSecond: read('requestsPerSecond', 'Requests per Second', SERVICE_RATE),
		timeoutMs: read('timeoutSeconds', 'Timeout per Try', 300) * 1000,
	};
}
