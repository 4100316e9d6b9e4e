import { foundInstead } from '../../../../nodes/shared/fields/choice.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `T${at}`);

it.each<[unknown[], string | undefined]>([
	[[], undefined],
	[['b', 'a', 'b', null], 'No tokens match the filters. There are: "b", "a", "null".'],
	[['x'.repeat(50)], `No tokens match the filters. There are: "${'x'.repeat(44)}…".`],
	[
		numbered(22),
		`No tokens match the filters. There are: ${numbered(20)
			.map((name) => `"${name}"`)
			.join(', ')} and 2 more.`,
	],
])('%j is named for a filter that matches nothing of it', (found, text) => {
	expect(foundInstead('tokens', found)).toBe(text);
});
