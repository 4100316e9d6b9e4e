import { BLOCKS, compared } from './blocks.mts';

it.each(BLOCKS)('$file is in step with the code ($name; npm run docs mends it)', async (block) => {
	const { is, shouldBe } = await compared(block);
	expect(is).toBe(shouldBe);
});
