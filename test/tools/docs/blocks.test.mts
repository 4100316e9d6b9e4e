import { BLOCKS, compared } from './blocks.mts';

describe('generated docs (if the code is right, repair them: npm run docs)', () => {
	it.each(BLOCKS)('the block $name of $file matches the code', (block) => {
		const { is, shouldBe } = compared(block);
		expect(is).toBe(shouldBe);
	});
});
