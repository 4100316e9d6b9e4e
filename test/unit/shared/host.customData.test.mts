import { setCustomData } from '../../../nodes/shared/host.ts';

function n8nThat(set: (name: string, value: string) => void) {
	const debug: string[] = [];
	const logger = { debug: (line: string) => debug.push(line) };
	return { n8n: { customData: { set }, logger } as never, debug };
}

it('sets texts, cut to what n8n keeps without a complaint, and leaves out all else', () => {
	const kept: Array<[string, string]> = [];
	const { n8n, debug } = n8nThat((name, value) => kept.push([name, value]));
	setCustomData(n8n, {
		event_id: 'evt_1',
		long: 'x'.repeat(300),
		empty: '',
		amount: 5,
		missing: undefined,
	});
	expect(kept).toEqual([
		['event_id', 'evt_1'],
		['long', 'x'.repeat(255)],
	]);
	expect(debug).toEqual([]);
});

it('goes on when n8n refuses one, and says which', () => {
	const kept: string[] = [];
	const { n8n, debug } = n8nThat((name) => {
		if (name === 'first') throw new Error('not here');
		kept.push(name);
	});
	setCustomData(n8n, { first: 'a', second: 'b' });
	expect(kept).toEqual(['second']);
	expect(debug).toEqual(['Custom execution data first was not set: Error: not here']);
});
