import { ENTRIES, eventName, EVENTS } from '../../../nodes/CardTreasuryTrigger/events/index.ts';
import { deliveryRules } from '../../simulator/events/index.mts';
import { sampleEvent } from '../../simulator/index.mts';
import { markdownTable } from './markdownTable.mts';

/** Values that differ between samples; fixed, so that the page does not change. */
const UUID = /"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/g;
const TIME = /"\d{4}-\d{2}-\d{2}T[\d:.]+Z"/g;

/** Section of each event: when it is sent, how it is delivered, and a sample. */
export function eventSamples(): string {
	return EVENTS.map((event) => {
		const name = eventName(event);
		const sample = sampleEvent(name);
		const { timeoutMs, attempts } = deliveryRules(sample);
		const text = JSON.stringify(sample, null, 2)
			.replace(UUID, (id) =>
				/0000-4000-8/.test(id) ? id : '"3f1c7a52-0000-4000-8000-000000000001"',
			)
			.replace(TIME, '"2026-11-21T10:00:00.000Z"')
			.replace(/"0x[0-9a-f]{64}"/g, `"0x${'ab'.repeat(32)}"`);
		const retries = attempts === 1 ? 'not repeated' : `up to ${attempts} attempts`;
		const part = event.part
			? ` \`${name}.${event.part.suffix}\`: ${event.part.when.replace(/^./, (letter) => letter.toLowerCase())}.`
			: '';
		return [
			`### ${name}`,
			'',
			`${event.when}. Timeout ${timeoutMs / 1000} s, ${retries}.${part}`,
			'',
			'```json',
			text,
			'```',
		].join('\n');
	}).join('\n\n');
}

/** README's table of events, generated from the trigger. */
export function eventsTable(): string {
	const rows = ENTRIES.map(({ name, when }) => [`\`${name}\``, when]);
	return markdownTable(['Event', 'When it is sent'], rows);
}
