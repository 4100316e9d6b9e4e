import { RESOURCES } from '../../nodes/CardTreasury/resources/index.ts';
import { DEMOS } from './demo.mts';

it('has a run of every operation that needs no trigger', () => {
	const offered = RESOURCES.flatMap(({ value, operations }) => operations.map((operation) => `${value}: ${operation.value}`));
	const shown = DEMOS.map(({ resource, operation }) => `${resource}: ${operation}`);
	expect(shown.sort()).toEqual(offered.filter((name) => name !== 'authorization: respond').sort());
});
