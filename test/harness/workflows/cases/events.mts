import { sampleEvent } from '../../../simulator/index.mts';
import type { Case } from './case.mts';

export const EVENTS: Case[] = [
	{
		file: 'event-router.json',
		situations: {
			'an event that nobody takes': {
				tables: { 'Events that nobody takes': [] },
				event: sampleEvent('cards.cleared'),
				rows: { 'Events that nobody takes': [{ type: 'cards.cleared' }] },
				done: ['Events of the type cleared are taken by no workflow'],
			},
		},
	},
];
