import { call } from './client.mts';
import { API_KEYS, IDS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

describe('resources', () => {
	it('repeat token symbols across chains and in other letter cases (2.1)', async () => {
		const { json: tokens } = await call(simulator, 'GET', '/mpc/tokens/list');
		const usdc = tokens.filter(({ symbol }: { symbol: string }) => symbol.toUpperCase() === 'USDC');
		expect(new Set(usdc.map(({ symbol }: { symbol: string }) => symbol)).size).toBeGreaterThan(1);
		expect(new Set(usdc.map(({ blockchain }: { blockchain: string }) => blockchain)).size).toBe(
			usdc.length,
		);
		for (const token of tokens) {
			expect(token).toEqual({
				id: expect.any(String),
				name: expect.any(String),
				symbol: expect.any(String),
				address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
				blockchain: expect.stringMatching(
					/^(ETHEREUM|POLYGON|BSC|ARBITRUM|OPTIMISM|BASE|AVALANCHE)$/,
				),
				usd_price: expect.any(Number),
			});
		}
	});

	it('list product requests newest first, with the fields of their status (2.2, 4.3)', async () => {
		const { json: requests } = await call(
			simulator,
			'GET',
			`/management/clients/individuals/${IDS.client}/products`,
		);
		const dates = requests.map(({ created_at }: { created_at: string }) => created_at);
		expect(dates).toEqual([...dates].sort().reverse());
		for (const request of requests) {
			expect(Boolean(request.missing_requirements)).toBe(
				request.status === 'pending_documentation',
			);
			expect(Boolean(request.rejection_code && request.rejection_description)).toBe(
				request.status === 'rejected',
			);
		}
		expect(new Set(requests.map(({ status }: { status: string }) => status))).toEqual(
			new Set(['pending_documentation', 'enabled', 'rejected']),
		);
	});

	it('freeze and unfreeze a card; only unblocking lifts a block (4.7, 4.10)', async () => {
		const status = async (id: string) =>
			(await call(simulator, 'GET', `/cards/individual-cards/${id}`)).json.status;
		const freeze = (id: string, frozen: boolean) =>
			call(simulator, 'PATCH', `/cards/individual-cards/${id}/frozen`, {
				body: { freeze: frozen },
			});

		expect(await status(IDS.activeCard)).toBe('ACTIVE');
		expect((await freeze(IDS.activeCard, true)).json).toEqual({});
		expect(await status(IDS.activeCard)).toBe('FROZEN');
		await freeze(IDS.activeCard, false);
		expect(await status(IDS.activeCard)).toBe('ACTIVE');

		await freeze(IDS.blockedCard, false);
		expect(await status(IDS.blockedCard)).toBe('BLOCKED');
		expect(
			(await call(simulator, 'PATCH', `/api/cards/${IDS.blockedCard}/unblock`, { key: 2 })).status,
		).toBe(200);
		expect(await status(IDS.blockedCard)).toBe('ACTIVE');
		expect(simulator.ledger.map(({ operation }) => operation)).toEqual([
			'card.freeze',
			'card.unfreeze',
			'card.unfreeze',
			'card.unblock',
		]);
	});

	it('show the 3DS configuration on the card (4.8)', async () => {
		const path = `/cards/virtual-cards/${IDS.activeCard}/3ds-configuration`;
		expect((await call(simulator, 'POST', path, { body: { type: 'webhook' } })).json).toEqual({
			type: 'webhook',
		});
		const { json: card } = await call(
			simulator,
			'GET',
			`/cards/individual-cards/${IDS.activeCard}`,
		);
		expect(card.forwarded_3ds_type).toBe('webhook');
	});

	it('update a pending ramp transfer and record its exact amount (4.4)', async () => {
		const path = `/virtual-wallets/ramps/transfer/${IDS.pendingRamp}`;
		const answer = await call(simulator, 'PATCH', path, { body: '{"amount":2500.10}' });
		expect(answer.json).toMatchObject({
			id: IDS.pendingRamp,
			status: 'PENDING',
			origin_amount: 2500.1,
		});
		expect(simulator.ledger).toMatchObject([
			{ operation: 'rampTransfer.updateAmount', amountText: '2500.10' },
		]);
	});

	it('record every request without its key until a reset', async () => {
		await call(simulator, 'GET', '/mpc/tokens/list', { key: 2, headers: { 'X-API-Version': '2' } });
		expect(simulator.requests).toMatchObject([
			{
				n: 1,
				method: 'GET',
				path: '/mpc/tokens/list',
				status: 200,
				apiKeyLevel: 2,
				headers: { 'x-api-version': '2' },
			},
		]);
		expect(JSON.stringify(simulator.requests)).not.toContain(API_KEYS[2]);
		simulator.reset();
		expect([simulator.requests, simulator.ledger]).toEqual([[], []]);
	});
});
