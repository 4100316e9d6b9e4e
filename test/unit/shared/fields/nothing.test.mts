import { gaveNothing, problemOf } from '../../../../nodes/shared/fields/nothing.ts';

const EXPRESSION = '={{ $json.number }}';
const problem = (text: string) => problemOf(text, EXPRESSION, {}, { evaluate: () => text });

function millisecondsOf(work: () => void): number {
	const start = performance.now();
	work();
	return performance.now() - start;
}

it.each<[string, boolean]>([
	['={{ $json.amount }}', true],
	[' =INV-{{ $json.no }}\n', true],
	['{{ $json.amount }}', false],
	['=1+1', false],
	['={{ no end', false],
	['=}} {{', false],
])('the text %j is that of an expression: %s', (text, is) => {
	expect(problem(text)?.[0].startsWith('holds the text of an expression') ?? false).toBe(is);
});

it('a long text from a form takes as long as many short ones', () => {
	const long = millisecondsOf(() => problem(`=${'{{'.repeat(50_000)}`));
	const short = `=${'{{'.repeat(50)}`;
	const many = millisecondsOf(() => {
		for (let run = 0; run < 1_000; run++) problem(short);
	});
	// With a search that starts anew at each brace, it takes thousands of times as long.
	expect(long / many).toBeLessThan(50);
});

const OTHER_NODE = "={{ $('Transfer').params.options.approvalAbove }}";

it.each<[string, boolean, string]>([
	['={{$json.amount}}', false, '{{ $json.amount }} gave nothing'],
	['= {{ $json.amount }} ', false, '{{ $json.amount }} gave nothing'],
	[OTHER_NODE, false, "{{ $('Transfer').params.options.approvalAbove }} gave nothing"],
	['={{ $json.a }}{{ $json.b }}', false, 'its expression gave nothing'],
	[`={{ $json.${'a'.repeat(60)} }}`, false, 'its expression gave nothing'],
	['=', false, 'its expression gave nothing'],
	// n8n makes an empty item for a step that found nothing (Always Output Data).
	['={{ $json.amount }}', true, 'the item is empty'],
	['={{ $json.a }}{{ $json.b }}', true, 'the item is empty'],
	[OTHER_NODE, true, "{{ $('Transfer').params.options.approvalAbove }} gave nothing"],
])('%j, which gave nothing (empty item: %j), is told as: %s', (raw, isItemEmpty, said) => {
	expect(gaveNothing(raw, isItemEmpty)[0]).toBe(`has no value: ${said}`);
	for (const value of [undefined, '', ' '])
		expect(problemOf(value, raw, {}, { evaluate: () => value, isItemEmpty })?.[0]).toBe(
			`has no value: ${said}`,
		);
});
