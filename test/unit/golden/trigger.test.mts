import type { INodeProperties } from 'n8n-workflow';

import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { EVENT_SAMPLES } from '../../samples/events.mts';

const line = (...texts: unknown[]) =>
	texts.filter((text) => typeof text === 'string' && text).join(' · ');

/** Labels, placeholders, defaults, descriptions and hints of fields, indented like the panel. Options are among the fields. Samples have the entries of events. */
const panelOf = (fields: INodeProperties[], indent = ''): string[] =>
	fields.flatMap(({ displayName, placeholder, default: initial, description, hint, ...more }) => {
		const isCollection = more.type === 'collection';
		const below = `${indent}${isCollection ? '+' : ' '} `;
		const own =
			indent +
			line(displayName, placeholder, String(initial).replace(/^\[.*/, ''), description, hint);
		const others = (more.options ?? []).flatMap((option) => {
			if ('values' in option) return [below + option.displayName, ...panelOf(option.values, below)];
			if ('type' in option) return panelOf([option], below);
			if (String(option.value) in EVENT_SAMPLES) return [];
			return [below + line(option.value, option.name, option.action, option.description)];
		});
		return isCollection && !description ? others : [own, ...others];
	});

/** If a change of the texts is meant: `npx jest -c test/jest.config.json -u golden`. */
it('its panel', () => {
	const { properties, activationMessage, triggerPanel } = new CardTreasuryTrigger().description;
	const texts = [...panelOf(properties), activationMessage, JSON.stringify(triggerPanel)];
	expect(texts.join('\n')).toMatchSnapshot();
});
