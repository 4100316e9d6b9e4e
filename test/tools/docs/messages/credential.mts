import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { CardTreasuryApi } from '../../../../credentials/CardTreasuryApi.credentials.ts';
import { connect } from '../../../../nodes/CardTreasury/n8n/connect.ts';
import { processClock } from '../../../../nodes/CardTreasury/request/clock.ts';
import { createRateLimiters } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { inTurn, provoke, textOnly, type Message } from './message.mts';

const PROCESS = { clock: processClock, limiters: createRateLimiters(processClock) };
const CREDENTIAL = { environment: 'sandbox', baseUrl: 'https://api.example.com', apiKey: 'key' };

/** Why a credential is not used. */
export async function credentialMessages(): Promise<Message[]> {
	const bad = [
		{ baseUrl: '' },
		{ baseUrl: 'api.example.com' },
		{ baseUrl: 'http://api.example.com' },
		{ baseUrl: 'https://user:secret@api.example.com' },
		{ baseUrl: 'https://api.example.com?key=1' },
		{ apiKey: '' },
		{ apiKey: 'key 1' },
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example.com' },
		{ idempotencyWindowHours: 0 },
	];
	return await inTurn(bad, async (change) => {
		const n8n: ILoadOptionsFunctions = Object.assign(Object.create(null), {
			getCredentials: async () => ({ ...CREDENTIAL, ...change }),
		});
		return await provoke(async () => await connect(n8n, PROCESS));
	});
}

/** What testing the credential says. */
export function credentialTestMessages(): Message[] {
	return (new CardTreasuryApi().test.rules ?? []).map(({ properties }) =>
		textOnly(properties.message),
	);
}
