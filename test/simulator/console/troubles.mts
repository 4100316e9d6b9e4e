import type { Fault } from '../faults.mts';

interface Trouble {
	name: string;
	label: string;
	help: string;
	fault: Fault;
}

/** Trouble of every request, which lasts until it is switched off. */
const lasting = (name: string, label: string, status: number, fault: Fault): Trouble => ({
	...{ name, label, help: `Every request gets ${status}, and nothing is executed.` },
	fault: { ...fault, times: 1_000_000 },
});

export const TROUBLES: readonly Trouble[] = [
	{
		name: 'timeout',
		label: 'The next transfer times out, but is executed',
		help: 'A gateway answers 408 after the money has moved. Retry in n8n moves no more.',
		fault: { kind: 'proxy', status: 408, effect: true, match: { path: '/transfer$' } },
	},
	{
		...lasting('down', 'The service is down', 503, { kind: 'status', status: 503 }),
		help: 'Every request gets 503, and nothing is executed, which n8n cannot know.',
	},
	lasting('limit', 'Too many requests', 429, { kind: '429' }),
	lasting('key', 'The API key is wrong', 401, { kind: '401' }),
];
