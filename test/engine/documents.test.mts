import { setImmediate as turn } from 'node:timers/promises';
import type { IExecuteFunctions } from 'n8n-workflow';

import { byId, image, PNG, requestOf, upTo } from '../harness/fixtures.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import type { CoreOptions } from './core.mts';
import { body, goesOn, jsonOf, run, sampleOf, sendingBy, threeTries } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const item = (json = {}, text = '') => ({
	json,
	binary: { data: image(Buffer.concat([PNG, Buffer.from(text)])) },
});
const submit = async (parameters: object = {}, more: Partial<CoreOptions> = {}) =>
	await run(sampleOf('productRequest: submitDocument', parameters), { items: [item()], ...more });

it('a file that is gone fails its item', async () => {
	const gone = { data: '', id: 'filesystem-v2:gone', mimeType: 'image/png', bytes: 9 };
	const ended = await submit({}, { items: [{ json: {}, binary: { data: gone } }], ...goesOn });
	expect(jsonOf(ended)).toMatchObject([
		{ outcome: 'not_sent', error: expect.stringContaining('Front Image Field could not be read') },
	]);
	expect(simulator.requests).toEqual([]);
});

it('no error holds an image', async () => {
	simulator.faults.add({ kind: 'status', status: 503 });
	const { run: ended, error } = await submit({}, { node: threeTries });
	expect(error).toBeDefined();
	const { resultData, executionData } = ended.data;
	const kept = JSON.stringify([resultData.error, executionData?.contextData]);
	expect(kept).not.toContain(image().data.slice(0, 40));
});

it('files are in memory one after the other, and other requests do not wait for each other', async () => {
	let [open, most] = [0, 0];
	const wrap = (n8n: IExecuteFunctions) => {
		const { httpRequestWithAuthentication: send } = n8n.helpers;
		return sendingBy(n8n, async function (this: never, ...given: Parameters<typeof send>) {
			most = Math.max(most, ++open);
			await turn();
			return await send.apply(this, given).finally(() => (open -= 1));
		});
	};
	simulator.faults.add({ kind: 'slow-before', delayMs: 100, times: 40 });
	const types = ['passport', 'utility_bill', 'payslip', 'national_id'];
	const items = upTo(12).map((at) => item({ type: types[at % 4] }, 'x'.repeat(at)));
	const documents = await submit(
		{ documentType: byId('={{ $json.type }}'), metadata: {}, options: { replace: true } },
		{ items, wrap, ...goesOn },
	);
	expect(jsonOf(documents)).toHaveLength(12);
	expect(most).toBe(1);
	// Each item sends its own file.
	const sizes = simulator.requests.map(({ bodyText }) => /, (\d+ bytes)>/.exec(bodyText)![1]);
	expect(new Set(sizes).size).toBe(12);
	for (const parameters of [requestOf(body('1')), sampleOf('card: get')]) {
		most = 0;
		await run(parameters, { items: upTo(4).map(() => ({ json: {} })), wrap });
		expect(most).toBeGreaterThan(1);
	}
});
