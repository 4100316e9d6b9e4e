import { randomUUID } from 'node:crypto';

import { API_KEYS, DEFAULT_WEBHOOK_KEY, type Simulator } from '../../simulator/index.mts';
import type { N8nAccess } from './n8n.mts';

/** Credential as a node names it. */
export interface Reference {
	id: string;
	name: string;
}

/** `data` of a credential with these webhook keys. */
export const keys = (webhookKey: string = DEFAULT_WEBHOOK_KEY, previousWebhookKey = '') => ({
	baseUrl: 'http://127.0.0.1:9',
	apiKey: API_KEYS[3] as string,
	webhookKey,
	previousWebhookKey,
	allowedHttpRequestDomains: 'all',
});

export const simulatorKeys = ({ url }: Pick<Simulator, 'url'>) => ({ ...keys(), baseUrl: url });

/** Creates a key of n8n's own API with this scope. */
export async function apiKey({ rest }: N8nAccess, scope: string): Promise<string> {
	const label = `key ${randomUUID()}`;
	const created = await rest('POST', '/rest/api-keys', { label, expiresAt: null, scopes: [scope] });
	return created.rawApiKey;
}

export async function createCredential(
	{ rest }: N8nAccess,
	data: object,
	{
		type = 'cardTreasuryApi',
		name = `${type} ${randomUUID()}`,
	}: { type?: string; name?: string } = {},
): Promise<Reference> {
	const { id } = await rest('POST', '/rest/credentials', { name, type, data });
	return { id, name };
}

export async function keepCredential(
	n8n: N8nAccess,
	data: object,
	{ type, name }: { type: string; name: string },
): Promise<Reference> {
	const known = (await n8n.rest('GET', '/rest/credentials')) as Reference[];
	const same = known.find((credential) => credential.name === name);
	if (!same) return await createCredential(n8n, data, { type, name });
	await n8n.rest('PATCH', `/rest/credentials/${same.id}`, { name, type, data });
	return { id: same.id, name };
}
