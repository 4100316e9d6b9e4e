import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chanceOf } from './generate.mts';
import type { Command, WorldSettings } from './history.mts';
import { withoutChance } from './virtualTime.mts';
import { World } from './world.mts';

/**
 * Notes that the version 0.1.0 of the node has left in n8n's database, by the world that it ran in. Every later version
 * must recognize them. Never written again.
 */
const STORED = JSON.parse(
	readFileSync(join(import.meta.dirname, 'storedNotes.json'), 'utf8'),
) as Array<{ name: string; world: WorldSettings; start: Command; told: string; notes: string[] }>;

describe('notes stored by an earlier version', () => {
	it.each(STORED)('$name are told $told', async ({ world: settings, start, told, notes }) => {
		const world = await withoutChance(chanceOf(1), async () => {
			const played = new World(settings);
			played.notes.restore('Node A', notes);
			await played.carryOut(start);
			return played;
		});
		const answers = world.checks.lines.filter((line) => line.includes(' is told '));
		expect(answers.length).toBeGreaterThan(0);
		for (const answer of answers) expect(answer).toMatch(new RegExp(`is told (success )?${told}`));
		expect(world.ledger.executed).toEqual([]);
		expect(world.checks.sent).toEqual([]);
	});
});
