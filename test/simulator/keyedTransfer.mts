import { call, type Call, type Response } from './client.mts';
import { IDS } from './ids.mts';
import type { Simulator } from './server.mts';

export const TRANSFER_PATH = `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;

/** Sends a transfer, by default with the same idempotency key each time. */
export async function keyedTransfer(
	simulator: Pick<Simulator, 'url'>,
	body: unknown = { to: '0x1', amount: 1 },
	key: Call['key'] = 3,
): Promise<Response> {
	const headers = { 'Idempotency-Key': 'key-1' };
	return await call(simulator, 'POST', TRANSFER_PATH, { key, body, headers });
}
