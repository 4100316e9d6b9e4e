import { rowsOf } from './workflowPicture.mts';

const box = (x: number, width: number, y = 0) => ({ x, y, width, height: 100 });

describe('rowsOf', () => {
	it('a workflow that fits is one row with a margin', () => {
		expect(rowsOf([box(100, 100), box(400, 100, 50)], 1000)).toEqual([
			{ x: 50, y: -30, width: 510, height: 230 },
		]);
	});

	it('a wide workflow is cut between nodes and notes into nearly equal rows', () => {
		const rows = rowsOf([box(0, 100), box(300, 400), box(500, 100, 300), box(800, 100)], 500);
		expect(rows.map(({ x, width }) => [x, x + width])).toEqual([
			[-50, 200],
			[200, 960],
		]);
		expect(rows.map(({ y, height }) => y + height)).toEqual([150, 450]);
	});

	it('a wide workflow without a gap stays one row', () => {
		expect(rowsOf([box(0, 1000), box(900, 1000)], 500)).toHaveLength(1);
	});
});
