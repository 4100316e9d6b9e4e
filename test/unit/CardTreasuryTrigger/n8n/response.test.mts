import {
	interceptAnswer,
	writeReply,
	type DeliveryResponse,
} from '../../../../nodes/CardTreasuryTrigger/n8n/response.ts';
import { decisionAnswer } from '../../../../nodes/service/authorizationAnswer.ts';
import { post } from '../../../harness/deliveries/post.mts';
import { listen } from './expressLike.mts';

describe('interceptAnswer', () => {
	it('waits for the answer when n8n ends the response before writing it', async () => {
		const { url, close } = await listen(async (_, response) => {
			const { body, headers } = decisionAnswer('00');
			const n8nResponse = response as unknown as DeliveryResponse;
			const bypass = interceptAnswer(n8nResponse, (code) =>
				bypass(() => writeReply(n8nResponse, { status: 200, body: { decided: code } })),
			);
			response.end();
			response.set(headers);
			response.json(body);
			response.status(500).json({ message: 'late' });
		});
		expect(await post(url, {})).toMatchObject({ status: 200, json: { decided: '00' } });
		await close();
	});
});

describe('writeReply', () => {
	it('writes once', async () => {
		const { url, close } = await listen(async (_, response) => {
			const n8nResponse = response as unknown as DeliveryResponse;
			writeReply(n8nResponse, { status: 200, body: { first: true } });
			writeReply(n8nResponse, { status: 500, body: {} });
			writeReply(n8nResponse, 'hang up');
		});
		expect(await post(url, {})).toMatchObject({ status: 200, json: { first: true } });
		await close();
	});
});
