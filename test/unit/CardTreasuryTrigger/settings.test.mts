import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { readDeciding } from '../../../nodes/shared/rules/read.ts';

const { description } = new CardTreasuryTrigger();
const reading = (parameters: Record<string, unknown>) => (name: string, fallback: unknown) =>
	name in parameters ? parameters[name] : fallback;

it('a new node declines', () => {
	expect(readDeciding(reading({}))).toEqual({
		rules: [],
		byDefault: '05',
		fallback: '05',
		runWorkflowFor: 'all',
		problems: [],
	});
});

it.each([
	{ defaultDecision: 'never' },
	{ defaultDecision: null },
	{ defaultDecision: 'other' },
	{ fallbackDecision: 'ask' },
	{ fallbackDecision: 'none' },
	{ options: { runWorkflowFor: 'some' } },
	{ options: { runWorkflowFor: 'constructor' } },
	{ options: null },
])('the setting %j has a problem', (parameters) => {
	expect(readDeciding(reading(parameters)).problems).toEqual([expect.any(String)]);
});

/** Fields at any depth. */
const fieldsIn = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((field) => [
		field,
		...(field.options ?? []).flatMap((option) =>
			fieldsIn('values' in option ? option.values : 'type' in option ? [option] : []),
		),
	]);

it('no field takes an expression, because each delivery would evaluate it', () => {
	const entered = fieldsIn(description.properties).filter(
		({ type }) => !['notice', 'collection', 'fixedCollection'].includes(type),
	);
	expect(entered.filter(({ noDataExpression }) => noDataExpression !== true)).toEqual([]);
	expect(entered).not.toEqual([]);
});

it.each([
	[['cards.cleared', 'other'], []],
	[
		['cards.authorization'],
		['firstMatchNotice', 'rules', 'defaultDecision', 'fallbackDecision', 'answerInTimeNotice'],
	],
])('the choice of %j shows the fields %j besides', (events, more) => {
	const shown = description.properties.filter((field) =>
		NodeHelpers.displayParameter({ events }, field, { typeVersion: 2 }, description),
	);
	const names = shown.map(({ name }) => name);
	expect(names.sort()).toEqual(['events', 'testEvent', 'options', ...more].sort());
});
