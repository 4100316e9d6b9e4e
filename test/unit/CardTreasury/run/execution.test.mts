import type { IDataObject } from 'n8n-workflow';

import { execute } from '../../../../nodes/CardTreasury/run/run.ts';
import { hostOf, sampleOf } from '../../reading.mts';

it('two nodes of one execution that pay the same each send it once', async () => {
	const parameters = sampleOf('wallet: transfer');
	const flow: IDataObject = {};
	let sent = 0;
	const httpRequestWithAuthentication = async () => {
		sent += 1;
		return { statusCode: 200, headers: {}, body: '{"status":"SUCCESS"}' };
	};
	const pay = async (name: string) => {
		const getNode = () => ({ id: name, name, type: 'cardTreasury', parameters });
		const helpers = { httpRequestWithAuthentication };
		const { n8n } = hostOf(parameters, {}, { getNode, getContext: () => flow, helpers });
		const [item] = await execute(n8n, new Map());
		return item?.json.repeated ?? item?.json.outcome;
	};
	expect([await pay('Pay'), await pay('Pay again'), await pay('Pay')]).toEqual([
		...['done', 'done', true],
	]);
	expect(sent).toBe(2);
});
