import type { Page } from 'playwright-core';

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Hides everything over the canvas, and the dots, which more than double the file. */
const ON_THE_CANVAS = `
	.vue-flow__background { display: none; }
	[data-test-id="canvas-controls"], [data-test-id="execute-workflow-button"], [class*="executionButtons"], [class*="_tabs"], [class*="tab-bar"],
	[class*="nodeButtonsWrapper"], [class*="_nodeCreatorWrapper"], .vue-flow__panel, [data-test-id="main-header"], [id="header"], [class*="_header_"] { visibility: hidden !important; }
	body, #app { background: none; }`;

/** Width from which on a row ends: about what readers see at full size. */
const ROW = 1000;
const MARGIN = 50;

/** Wide enough that n8n draws even a long workflow at full size. */
const CANVAS = { width: 3800, height: 2200 };

/** Saves a picture of the whole workflow, without the canvas around it; a wide workflow in rows. */
export async function photographWorkflow(page: Page, path: string): Promise<void> {
	await page.setViewportSize(CANVAS);
	await page.locator('[data-test-id="zoom-to-fit"]').click();
	await page.addStyleTag({ content: ON_THE_CANVAS });
	await settle(page);
	const pictures: Buffer[] = [];
	for (const clip of rowsOf(await boxesOf(page)))
		pictures.push(await page.screenshot({ clip, animations: 'disabled' }));
	const images = pictures.map(
		(png) => `<img src="data:image/png;base64,${png.toString('base64')}">`,
	);
	const stacked = await page.context().newPage();
	await stacked.setContent(
		`<style>main { position: absolute; inset: 0 auto auto 0 } img { display: block } img + img { margin-top: 24px }</style><main>${images.join('')}</main>`,
	);
	await stacked.locator('main').screenshot({ path, omitBackground: true });
	await stacked.close();
}

export async function settle(page: Page): Promise<void> {
	await page.mouse.move(5, 5);
	await page.waitForLoadState('networkidle');
	await page.waitForTimeout(700);
}

/** Boxes of nodes with their labels, and of notes. */
async function boxesOf(page: Page): Promise<Box[]> {
	return await page.locator('.vue-flow__node').evaluateAll((nodes) =>
		nodes.map((node) => {
			const labels = node.querySelectorAll('[class*="_label_"], [class*="_description_"]');
			const parts = [node, ...Array.from(labels)].map((part) => part.getBoundingClientRect());
			const x = Math.min(...parts.map(({ left }) => left));
			const y = Math.min(...parts.map(({ top }) => top));
			const width = Math.max(...parts.map(({ right }) => right)) - x;
			const height = Math.max(...parts.map(({ bottom }) => bottom)) - y;
			return { x, y, width, height };
		}),
	);
}

/** Splits a picture into rows, cut at the first gap between boxes after the width of a row. */
function rowsOf(boxes: Box[]): Box[] {
	const rows: Box[][] = [];
	const end = Math.max(...boxes.map(({ x, width }) => x + width));
	let [left, reached] = [0, 0];
	for (const box of boxes.toSorted((one, other) => one.x - other.x)) {
		// A small rest stays in its row.
		const isCut = box.x > reached && reached - left > ROW && end - box.x > ROW / 2;
		if (rows.length === 0 || isCut) {
			rows.push([]);
			left = box.x;
		}
		rows.at(-1)!.push(box);
		reached = Math.max(reached, box.x + box.width);
	}
	return rows.map((row) => {
		const x = Math.min(...row.map((box) => box.x)) - MARGIN;
		const y = Math.min(...row.map((box) => box.y)) - MARGIN;
		const right = Math.max(...row.map((box) => box.x + box.width)) + MARGIN;
		const bottom = Math.max(...row.map((box) => box.y + box.height)) + MARGIN;
		return { x, y, width: right - x, height: bottom - y };
	});
}
