import { problemOf } from '../../../../nodes/shared/fields/nothing.ts';

const EXPRESSION = '={{ $json.number }}';
const problem = (text: string) => problemOf(text, EXPRESSION, {}, () => text);

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
