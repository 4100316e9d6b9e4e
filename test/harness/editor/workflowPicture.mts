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

/** Widest row that readers see at full size; a wider workflow is split into rows. */
const WIDEST_ROW = 1300;

const MARGIN = { left: 50, top: 30, right: 60, bottom: 50 };

/** Wide enough that n8n draws even a long workflow at full size. */
const CANVAS = { width: 3800, height: 2200 };

/** Saves a picture of the whole workflow, without the canvas around it; a wide workflow in rows. */
export async function photographWorkflow(page: Page, path: string): Promise<void> {
	await page.setViewportSize(CANVAS);
	await page.locator('[data-test-id="zoom-to-fit"]').click();
	await page.addStyleTag({ content: ON_THE_CANVAS });
	await settle(page);
	const rows = rowsOf(await boxesOf(page), WIDEST_ROW);
	const pictures: Buffer[] = [];
	for (const clip of rows) pictures.push(await page.screenshot({ clip, animations: 'disabled' }));
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

/** Waits until icons and canvas have settled. */
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

/**
 * Splits a picture into rows, cut where no box is.
 * @param widest approximate width of a row; up to half as much again, so that no row holds only a small rest
 */
export function rowsOf(boxes: Box[], widest: number): Box[] {
	const left = Math.min(...boxes.map(({ x }) => x));
	const right = Math.max(...boxes.map(({ x, width }) => x + width));
	const count = Math.max(1, Math.round((right - left) / widest));
	const gaps = gapsBetween(boxes);
	const wanted = Array.from(
		{ length: count - 1 },
		(_, index) => left + ((right - left) * (index + 1)) / count,
	);
	const nearest = wanted.flatMap((target) =>
		gaps.toSorted((one, other) => Math.abs(one - target) - Math.abs(other - target)).slice(0, 1),
	);
	const cuts = [...new Set(nearest)].sort((one, other) => one - other);
	const edges = [left - MARGIN.left, ...cuts, right + MARGIN.right];
	return edges.slice(1).map((end, index) => {
		const start = edges[index]!;
		const within = boxes.filter(({ x }) => x >= start && x < end);
		const top = Math.min(...within.map(({ y }) => y)) - MARGIN.top;
		const bottom = Math.max(...within.map(({ y, height }) => y + height)) + MARGIN.bottom;
		return { x: start, y: top, width: end - start, height: bottom - top };
	});
}

/** Returns the middle of each vertical strip without a box. */
function gapsBetween(boxes: Box[]): number[] {
	let reached = Infinity;
	return boxes
		.toSorted((one, other) => one.x - other.x)
		.flatMap(({ x, width }) => {
			const gap = x > reached ? [(x + reached) / 2] : [];
			reached = Math.max(reached === Infinity ? x : reached, x + width);
			return gap;
		});
}
