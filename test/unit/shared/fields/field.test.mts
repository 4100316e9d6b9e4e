import {
	collection,
	field,
	optional,
	readFields,
	required,
	shownWhen,
} from '../../../../nodes/shared/fields/field.ts';
import { InvalidFieldError, orInvalid } from '../../../../nodes/shared/fields/invalidField.ts';
import { sourceFrom } from '../../../../nodes/shared/fields/source.ts';
import { text } from '../../../../nodes/shared/fields/text.ts';
import { readingOf } from './reading.mts';

const looks = { placeholder: 'e.g. a', description: 'What it is' };
const shout = required('Word', looks, ({ value, refuse }) =>
	value === 'bad' ? refuse('is bad', 'Take another.') : `${String(value)}!`,
);

it('a field has its declared look, by default an empty string', () => {
	const shown = { displayName: 'Word', name: 'word', type: 'string', default: '', ...looks };
	expect(shout.property('word', '')).toEqual({ ...shown, required: true });
	expect(field('Word', looks, () => 1).property('word', '')).toEqual(shown);
	const byMethod = required(
		'Word',
		(method) => ({ hint: method }),
		() => 1,
	);
	expect(byMethod.property('word', 'm')).toMatchObject({ hint: 'm', required: true });
});

it('a field is read and refuses with its label', () => {
	expect(readingOf(shout, 'a')).toBe('a!');
	expect(readingOf(shout, 'bad')).toEqual(['Word is bad', 'Take another.']);
});

it.each([undefined, null, ''])('a required field refuses %j', (value) => {
	expect(readingOf(shout, value, 'fixed')).toEqual(['Word is empty', 'Enter the Word.']);
	expect(readingOf(shout, value, '={{ $json.a }}')).toEqual([
		'Word has no value: {{ $json.a }} gave nothing',
		'Check the field that it takes: it is missing, is empty, or has another name.',
	]);
	const other = required('Word', {}, () => 1, 'Choose one.');
	expect(readingOf(other, value, 'fixed')).toEqual(['Word is empty', 'Choose one.']);
	expect(
		readingOf(
			optional('Word', {}, () => 1),
			value,
		),
	).toBeUndefined();
});

describe('optional field', () => {
	const fields = { word: optional('Word', {}, () => 1) };
	const read = (values: object, raw: unknown) =>
		readFields(fields, { ...sourceFrom(values, raw, {}), evaluate: () => undefined });

	it.each([undefined, null, ''])(
		'the field may be left empty, but its expression may not return %j',
		(word) => {
			expect(read({ word }, { word: '' })).toEqual({ word: undefined });
			const refused = orInvalid(() => read({ word }, { word: '={{ $json.a }}' }));
			expect(refused).toMatchObject({
				message: 'Word has no value: {{ $json.a }} gave nothing',
				fix: 'Check the field that it takes: it is missing, is empty, or has another name.',
			});
		},
	);

	it('the field may be missing from a collection that one expression returns', () => {
		expect(read({}, '={{ $json.filters }}')).toEqual({ word: undefined });
	});
});

it('a failed expression throws when its value is read, not earlier', () => {
	const failed = new InvalidFieldError('Word', 'could not be read', 'Check its expression.');
	expect(readingOf(shout, failed)).toEqual([failed.message, failed.fix]);
	expect(
		readingOf(
			field('Word', {}, ({ label }) => label),
			failed,
		),
	).toBe('Word');
});

describe('readFields', () => {
	const source = (values: object) => sourceFrom(values, values, { mode: 'on' });
	const read = (word: typeof shout, from = source({})) => readFields({ word }, from).word;
	const hidden = shownWhen({ '/mode': ['off'] }, shout) as typeof shout;
	const shown = shownWhen({ '/mode': ['on'], kind: [true] }, shout) as typeof shout;

	it('readFields skips a hidden field', () => {
		expect(read(hidden)).toBeUndefined();
		expect(read(shown, source({ word: 'a' }))).toBeUndefined();
		expect(read(shown, source({ word: 'a', kind: true }))).toBe('a!');
	});

	it('readFields refuses {{ }} in a Fixed field, unless the stored form is unknown', () => {
		const literal = { word: '{{ a }}' };
		expect(orInvalid(() => read(shout, source(literal)))).toMatchObject({
			field: 'Word',
			fix: 'Switch the field to Expression.',
		});
		expect(read(shout, sourceFrom(literal, undefined, {}))).toBe('{{ a }}!');
	});

	it('readFields omits unreadable fields if it has a handler for them', () => {
		const problems: string[] = [];
		const fields = { word: shout, other: text('Other') };
		const from = source({ word: 'bad', other: 'b' });
		expect(readFields(fields, from, ({ message }) => problems.push(message))).toEqual({
			other: 'b',
		});
		expect(problems).toEqual(['Word is bad']);
	});

	it('readFields throws a defect', () => {
		const broken = field('Word', {}, () => {
			throw new TypeError('defect');
		});
		expect(() => readFields({ broken }, source({}), () => {})).toThrow('defect');
	});
});

it('a collection is read as one field, with an object of its fields', () => {
	const fields = {
		filters: collection('Filters', 'Add filter', { word: shout, more: text('More') }),
	};
	const read = (filters: unknown) => readFields(fields, sourceFrom({ filters }, { filters }, {}));
	expect(read({ word: 'a' })).toEqual({ filters: { word: 'a!' } });
	expect(() => read({ word: 'bad' })).toThrow('Word is bad');
	expect(() => read('x')).toThrow('Filters is not an object');
	expect(() => read({ word: '{{ a }}' })).toThrow('Word holds {{ }}');
});
