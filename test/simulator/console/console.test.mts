import { request as send } from 'undici';

import { control, keyedTransfer } from '../client.mts';
import { simulator, useSimulator } from '../useSimulator.mts';

useSimulator();

const statusOf = async (path: string, headers: Record<string, string>, method = 'GET') => {
	const { statusCode, body } = await send(simulator.url + path, {
		method: method as 'GET',
		headers,
	});
	await body.dump();
	return statusCode;
};

describe('guard', () => {
	const here = () => new URL(simulator.url).host;
	const at = (name: string) => `${name}:${new URL(simulator.url).port}`;

	it.each(['/', '/_console/console.js', '/_simulator/console'])(
		'%s is shown to this machine only',
		async (path) => {
			expect(await statusOf(path, {})).toBe(200);
			expect(await statusOf(path, { host: at('localhost') })).toBe(200);
			expect(await statusOf(path, { host: at('console.example.com') })).toBe(403);
			expect(await statusOf(path, { host: '127.0.0.1' })).toBe(403);
		},
	);

	it.each(['https://example.com', 'http://127.0.0.1:1', 'null'])(
		'a page from %s presses no button',
		async (origin) => {
			expect(await statusOf('/_simulator/reset', { origin }, 'POST')).toBe(403);
			const own = { origin: `http://${here()}` };
			expect(await statusOf('/_simulator/reset', own, 'POST')).toBe(200);
		},
	);

	it('no other page shows the console in a frame, and it loads nothing from elsewhere', async () => {
		const { headers } = await send(`${simulator.url}/`);
		expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
		expect(headers['content-security-policy']).toContain("default-src 'self'");
	});
});

describe('snapshot', () => {
	it('a payment is one row that shows how often it was asked for and executed', async () => {
		await control('POST trouble', { name: 'timeout', on: true });
		for (let tries = 1; tries <= 5; tries++) expect((await keyedTransfer()).status).toBe(504);
		expect((await keyedTransfer()).status).toBe(200);
		const { payments, troubles } = (await control('GET console')).json;
		expect(payments).toMatchObject([
			{ asked: 6, executed: 1, result: 'SUCCESS', answer: 200, key: 'key-1', amount: '1' },
		]);
		expect(troubles[0]).toMatchObject({ name: 'timeout', on: false });
	});

	it.each(['down', 'limit', 'key'])(
		'the trouble %s lasts until it is switched off',
		async (name) => {
			await control('POST trouble', { name, on: true });
			for (let n = 0; n < 2; n++) expect((await keyedTransfer()).status).toBeGreaterThan(400);
			await control('POST trouble', { name, on: false });
			expect((await keyedTransfer()).status).toBe(200);
		},
	);

	it.each([
		['trouble', { name: 'none', on: true }],
		['step', { name: 'block' }],
		['press', { ts: '1', label: 'Yes', person: 'U1' }],
		['send', { event: 'cards.authorization', target: 'none' }],
		['send', { event: 'none' }],
	])('%s refuses what does not exist', async (name, body) => {
		expect((await control(`POST ${name}`, body)).status).toBe(400);
	});
});
