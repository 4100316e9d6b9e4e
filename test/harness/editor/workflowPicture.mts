import lodash from 'lodash';
import type { Page } from 'playwright-core';

type Box = Record<'left' | 'top' | 'right' | 'bottom', number>;

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
	for (const { left, top, right, bottom } of rowsOf(await boxesOf(page))) {
		const size = { width: right - left + 2 * MARGIN, height: bottom - top + 2 * MARGIN };
		const clip = { x: left - MARGIN, y: top - MARGIN, ...size };
		pictures.push(await page.screenshot({ clip, animations: 'disabled' }));
	}
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
	const parts = await page.locator('.vue-flow__node').evaluateAll((nodes) =>
		nodes.map((node) => {
			const labels = node.querySelectorAll('[class*="_label_"], [class*="_description_"]');
			return [node, ...Array.from(labels)].map(
				(part) => part.getBoundingClientRect().toJSON() as Box,
			);
		}),
	);
	return parts.map(around);
}

const around = (boxes: Box[]): Box => ({
	left: Math.min(...boxes.map(({ left }) => left)),
	top: Math.min(...boxes.map(({ top }) => top)),
	right: Math.max(...boxes.map(({ right }) => right)),
	bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
});

/** Splits a picture into rows, cut at the first gap between boxes after the width of a row. */
function rowsOf(boxes: Box[]): Box[] {
	const rows: Box[] = [];
	const { right: end } = around(boxes);
	for (const box of lodash.sortBy(boxes, 'left')) {
		const { left, right } = rows.at(-1) ?? box;
		// A small rest stays in its row.
		const isCut = box.left > right && right - left > ROW && end - box.left > ROW / 2;
		if (rows.length === 0 || isCut) rows.push(box);
		else rows.push(around([rows.pop()!, box]));
	}
	return rows;
}
