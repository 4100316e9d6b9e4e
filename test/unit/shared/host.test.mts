import { setCustomData } from '../../../nodes/shared/host.ts';

describe('unsupportedHost', () => {
	afterEach(() => jest.resetModules());

	async function hostWith(exports: object) {
		jest.doMock('n8n-workflow', () => exports);
		const host = await import('../../../nodes/shared/host.ts');
		jest.dontMock('n8n-workflow');
		return host.unsupportedHost();
	}

	it('an n8n before 2.20 gets a message to update', async () => {
		expect(await hostWith({ WorkflowExpression: class {} })).toBeUndefined();
		jest.resetModules();
		expect(await hostWith({})).toBe('Card Treasury needs n8n 2.20 or newer. Update n8n.');
	});
});

describe('setCustomData', () => {
	function n8nThat(set: (name: string, value: string) => void) {
		const debug: string[] = [];
		const logger = { debug: (line: string) => debug.push(line) };
		return { n8n: { customData: { set }, logger } as never, debug };
	}

	it('texts of up to 255 characters and numbers are stored, and other values are ignored', () => {
		const kept: Array<[string, string]> = [];
		const { n8n, debug } = n8nThat((name, value) => kept.push([name, value]));
		setCustomData(n8n, {
			event_id: 'evt_1',
			long: 'x'.repeat(300),
			empty: '',
			withNul: 'op\0-1',
			onlyNul: '\0',
			card_id: 5,
			list: ['a'],
			missing: undefined,
		});
		expect(kept).toEqual([
			['event_id', 'evt_1'],
			['long', 'x'.repeat(255)],
			['withNul', 'op-1'],
			['card_id', '5'],
		]);
		expect(debug).toEqual([]);
	});

	it('a value that n8n refuses is logged by name, and the run continues', () => {
		const kept: string[] = [];
		const { n8n, debug } = n8nThat((name) => {
			if (name === 'first') throw new Error('not here');
			kept.push(name);
		});
		setCustomData(n8n, { first: 'a', second: 'b' });
		expect(kept).toEqual(['second']);
		expect(debug).toEqual(['Custom execution data first was not set: Error: not here']);
	});
});
