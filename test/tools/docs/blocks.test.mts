import { BLOCKS, compared } from './blocks.mts';

it.each(BLOCKS)(
	'$file says what the code does ($name); if it is the code that is right, npm run docs mends the page',
	async (block) => {
		const { is, shouldBe } = await compared(block);
		expect(is).toBe(shouldBe);
	},
);
