import type { IDataObject } from 'n8n-workflow';

import { execute } from '../../../../nodes/CardTreasury/run/run.ts';
import { givenTo, hostOf } from '../../reading.mts';

const PAY = { resource: 'wallet', operation: 'transfer', ...givenTo('wallet: transfer') };
const flow: IDataObject = {};
const limits: number[] = [];
let sent = 0;

/** What a node of one execution says of the payment. n8n keeps notes by node. */
async function pay(name: string): Promise<unknown> {
	const { n8n } = hostOf(
		PAY,
		{},
		{
			getNode: () => ({ id: name, name, type: 'cardTreasury', parameters: PAY }),
			getContext: () => flow,
			helpers: {
				checkProcessedAndRecord: async (
					...[, , { maxEntries }]: [unknown, unknown, IDataObject]
				) => {
					limits.push(Number(maxEntries));
					return { processed: [] };
				},
				httpRequestWithAuthentication: async () => {
					sent += 1;
					return { statusCode: 200, headers: {}, body: '{"status":"SUCCESS"}' };
				},
			},
		},
	);
	const [item] = await execute(n8n, new Map());
	return item?.json.repeated ?? item?.json.outcome;
}

it('two nodes of one execution that pay the same each send it once, and n8n keeps 10,000 payments', async () => {
	expect([await pay('Pay'), await pay('Pay again'), await pay('Pay')]).toEqual([
		...['done', 'done', true],
	]);
	expect(sent).toBe(2);
	// Two notes for each, and one of its run, if each is a run of its own.
	expect(Math.min(...limits)).toBeGreaterThanOrEqual(3 * 10_000);
});
