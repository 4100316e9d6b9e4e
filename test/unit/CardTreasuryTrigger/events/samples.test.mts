import { parse } from '../../../../nodes/CardTreasuryTrigger/delivery/parse.ts';
import { EVENTS, eventName } from '../../../../nodes/CardTreasuryTrigger/events/index.ts';
import { SAMPLE_EVENTS, sampleOf } from '../../../../nodes/CardTreasuryTrigger/events/samples.ts';
import { sampleEvent } from '../../../simulator/index.mts';

const sample = (name: string) =>
	sampleOf(name, 'sample-1', new Date(Date.UTC(2026, 10, 21, 10))) as Record<string, any>;

describe('samples', () => {
	it('are there for each of the 17 events', () => {
		expect(SAMPLE_EVENTS).toEqual(EVENTS.map(eventName));
		expect(SAMPLE_EVENTS).toHaveLength(17);
	});

	it.each(SAMPLE_EVENTS)('of %s have the documented form and all of its fields (§6.5)', (name) => {
		expect(parse(sample(name))).toMatchObject({ ok: true, issues: [] });
		expect(eventName(sample(name) as any)).toBe(name);
		expect(sample(name).operation_id).toBe('sample-1');
		const optional = ['reason'];
		expect(Object.keys(sample(name).data).filter((field) => !optional.includes(field))).toEqual(
			expect.arrayContaining(
				Object.keys(sampleEvent(name).data).filter((field) => !optional.includes(field)),
			),
		);
	});
});
