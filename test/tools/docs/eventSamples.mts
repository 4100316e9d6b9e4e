import lodash from 'lodash';

import { EVENTS } from '../../../nodes/CardTreasuryTrigger/catalog.ts';
import {
	ENTRIES,
	sampleOf,
	summaryOf,
	type Envelope,
} from '../../../nodes/CardTreasuryTrigger/events.ts';
import { samplesOf } from '../../../nodes/CardTreasuryTrigger/payloads.ts';
import { isObject } from '../../../nodes/shared/isObject.ts';
import { markdownTable } from './page.mts';

const sampleNow = (name: string) => sampleOf(name, 'sample', new Date(0)) as Envelope;

/** Summaries of the samples, and the fields of `data`. Events with the same fields share a row. */
export function eventsReference(): string {
	const summaries = ENTRIES.map(({ name, label }) => {
		const sample = sampleNow(name);
		return [`${label}<br>\`${name}\``, `\`${String(sample.status)}\``, summaryOf(sample)];
	});
	const byFields = lodash.groupBy(EVENTS, ({ data, part }) =>
		fieldsOf(samplesOf({ ...data, ...part?.more })),
	);
	const fields = Object.entries(byFields).map(([names, events]) => [
		events.map(({ name }) => `\`${name}\``).join('<br>'),
		names,
	]);
	return [
		markdownTable(['Event', '`status`', '`summary` of the sample'], summaries),
		markdownTable(['Event', 'Fields of `data`'], fields),
	].join('\n\n');
}

/** Names of fields, with those of their own fields. */
const fieldsOf = (data: object): string =>
	Object.entries(data)
		.map(([name, value]) => (isObject(value) ? `\`${name}\` (${fieldsOf(value)})` : `\`${name}\``))
		.join(', ');
