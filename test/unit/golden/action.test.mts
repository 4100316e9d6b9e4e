import type { INodeProperties } from 'n8n-workflow';

import { CardTreasuryApi } from '../../../credentials/CardTreasuryApi.credentials.ts';
import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { reading } from '../reading.mts';

/** Texts of the panels, and of what the action node refuses, each once. If a change of them is meant: `npx jest -c test/jest.config.json -u golden`. */
const golden = (lines: string[]) => expect([...new Set(lines)].join('\n')).toMatchSnapshot();

const line = (...texts: unknown[]) =>
	texts.filter((text) => typeof text === 'string' && text).join(' · ');

/** Labels, placeholders, defaults, descriptions and hints of fields, indented like the panel. Options are among the fields. */
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
			return [below + line(option.value, option.name, option.action, option.description)];
		});
		return isCollection && !description ? others : [own, ...others];
	});

const OPERATIONS = Object.values(RESOURCES).flatMap(({ operations }) => Object.values(operations));

it('the panel of the trigger', () => {
	const { properties, activationMessage, triggerPanel } = new CardTreasuryTrigger().description;
	golden([...panelOf(properties), String(activationMessage), JSON.stringify(triggerPanel)]);
});

it('the panel of the action node, and the form of the credential', () => {
	const { properties } = new CardTreasury().description;
	const placeOf = ({ displayOptions: { show } = {} }: INodeProperties) =>
		[show?.resource, show?.operation].join(' ').trim();
	const places = [...new Set(properties.map(placeOf))];
	const shownAt = (place: string) => properties.filter((each) => placeOf(each) === place);
	golden([
		...places.flatMap((place) => [place, ...panelOf(shownAt(place), '  ')]),
		...panelOf(new CardTreasuryApi().properties),
	]);
});

it('what the fields refuse', () => {
	const texts = '|..|0|5,0|0.0000001|0x12|#N/A|none|a\u200b|{a|/..|é|3:09:44|2026-01-01'.split('|');
	const [NOBODY, WRONG] = [`0x${'0'.repeat(40)}`, '0x52908400098527886E0F7030069857D2e4169EE7'];
	const values = [
		...texts,
		NOBODY,
		WRONG,
		'x'.repeat(300),
		2026.1,
		2 ** 60,
		NaN,
		[],
		[1],
		{},
		true,
	];
	const rows = [{ parameter: [{ value: 'a' }] }, { value: { number: [] } }];
	const odd = [
		...[...values, ...rows].map((value) => [value, value]),
		['', '={{ $json.a }}'],
		['a', '={{ $execution.id }}'],
		['a', '=a{{ $json.a }}'],
	];
	const inGeneral = (text: string, label: string) =>
		text
			.replaceAll(label, '…')
			.replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
			.replace(/today is [\d-]+/, 'today is …');
	const refusals = OPERATIONS.flatMap(({ fields }) =>
		Object.values(fields).flatMap((field) =>
			odd
				.map(([value, raw]) => String(reading(field, value, { raw, timezone: 'utc' })))
				.filter((text) => text.includes(' | '))
				.map((text) => inGeneral(text, field.label)),
		),
	);
	golden(refusals.sort());
});

it('how an operation explains an error of the service', () => {
	const errors = OPERATIONS.flatMap(
		(operation) => ('errors' in operation && operation.errors) || [],
	);
	golden(errors.map(({ status, message, fix }) => `${status}: ${message} | ${fix}`));
});
