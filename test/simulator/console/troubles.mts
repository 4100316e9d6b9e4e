import type { Fault } from '../faults.mts';

interface Trouble {
	name: string;
	label: string;
	help: string;
	fault: Fault;
}

/** Long enough to last until it is switched off. */
const UNTIL_SWITCHED_OFF = 1_000_000;

/** Faults that the page offers as switches. */
export const TROUBLES: readonly Trouble[] = [
	{
		name: 'timeout',
		label: 'The next transfer times out, but is executed',
		help: 'A gateway answers 504 to its five tries, after the money has moved. Retry in n8n moves no more.',
		fault: { kind: 'proxy', status: 504, effect: true, match: { path: '/transfer$' }, times: 5 },
	},
	{
		name: 'down',
		label: 'The service is down',
		help: 'Every request gets 503, and nothing is executed.',
		fault: { kind: 'status', status: 503, times: UNTIL_SWITCHED_OFF },
	},
	{
		name: 'limit',
		label: 'Too many requests',
		help: 'Every request gets 429, and nothing is executed.',
		fault: { kind: '429', times: UNTIL_SWITCHED_OFF },
	},
	{
		name: 'key',
		label: 'The API key is wrong',
		help: 'Every request gets 401, and nothing is executed.',
		fault: { kind: '401', times: UNTIL_SWITCHED_OFF },
	},
];
