import { choice } from '../../../../nodes/shared/fields/choice.ts';
import {
	failClosed,
	field,
	propertiesOf,
	readFields,
} from '../../../../nodes/shared/fields/field.ts';
import { sentencesOf } from '../../../../nodes/shared/fields/invalidField.ts';
import { sourceFrom } from '../../../../nodes/shared/fields/source.ts';

const FIELDS = {
	events: failClosed(
		{ strictest: [] },
		field('Events', { type: 'multiOptions' }, ({ value, refuse }) =>
			Array.isArray(value) ? value.map(String) : refuse('is no list', 'Choose some.'),
		),
	),
	way: failClosed(
		{ strictest: 'closed', absent: 'half', show: { events: ['a', 'b'] } },
		choice('Way', { open: 'Open', closed: 'Closed' }),
	),
	width: failClosed(
		{ strictest: 0, show: { way: ['open'] } },
		field('Width', { type: 'number' }, ({ value, refuse }) =>
			typeof value === 'number' ? value : refuse('is no number', 'Enter one.'),
		),
	),
};

function read(values: Record<string, unknown>) {
	const problems: string[] = [];
	const source = sourceFrom(values, undefined, {});
	return {
		...readFields(FIELDS, source, (problem) => problems.push(sentencesOf(problem))),
		problems,
	};
}

describe('fields that fail closed', () => {
	it.each([
		['read valid values', { events: ['b'], way: 'open', width: 5 }, ['open', 5], []],
		[
			'replace an invalid value by the strictest one',
			{ events: ['a'], way: 'x' },
			['closed', 0],
			[/^Way cannot be "x"\. Choose/],
		],
		[
			'refuse an empty value',
			{ events: ['a'], way: undefined },
			['closed', 0],
			[/^Way is not set\. /],
		],
		['replace a missing value by its default', { events: ['a'] }, ['half', 0], []],
		[
			'replace a hidden value by the strictest one without a problem',
			{ events: ['c'], way: 'x', width: 'x' },
			['closed', 0],
			[],
		],
		[
			'are hidden if the field they depend on is unreadable',
			{ events: 'x', way: 'open', width: 5 },
			['closed', 0],
			[/^Events is no list\. Choose some\.$/],
		],
	])('the fields %s', (_, values, [way, width], problems) => {
		expect(read(values)).toMatchObject({
			way,
			width,
			problems: problems.map((problem) => expect.stringMatching(problem)),
		});
	});

	it('the fields have their declared look', () => {
		const [events, way] = propertiesOf(FIELDS);
		expect(events).not.toHaveProperty('displayOptions');
		expect(way).toMatchObject({
			displayName: 'Way',
			name: 'way',
			type: 'options',
			displayOptions: { show: { events: ['a', 'b'] } },
		});
	});
});
