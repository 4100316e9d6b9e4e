import type { IDataObject } from 'n8n-workflow';

import { BASE_URL } from './baseUrl';
import { PRINTABLE_KEY } from './printableKey';
import { Problem } from './problem';

/** Type name of the credential. Workflows save this name. */
export const CREDENTIAL_TYPE = 'cardTreasuryApi';

/** Stored fields of the credential `cardTreasuryApi`. */
export interface CardTreasuryCredential {
	/** 'invalid' if not in the list, as an expression may give it. */
	environment: 'sandbox' | 'production' | 'invalid';
	baseUrl: string;
	apiKey: string;
	webhookKey: string;
	previousWebhookKey: string;
	/**
	 * Hours for which the service remembers an idempotency key. Undefined if empty. 'invalid' if not a number above 0.
	 */
	idempotencyWindowHours?: number | 'invalid';
}

/** Reads n8n's untyped credential data. Missing texts become ''. */
export function readCredential(data: IDataObject): CardTreasuryCredential {
	const text = (name: string) => {
		const value = data[name];
		return typeof value === 'string' ? value : '';
	};
	const { environment } = data;
	const hours = Number(data.idempotencyWindowHours ?? 0);
	return {
		environment:
			environment === 'sandbox' || environment === 'production' ? environment : 'invalid',
		baseUrl: text('baseUrl'),
		apiKey: text('apiKey'),
		webhookKey: text('webhookKey'),
		previousWebhookKey: text('previousWebhookKey'),
		...(hours !== 0 && { idempotencyWindowHours: hours > 0 ? hours : 'invalid' }),
	};
}

/** Webhook keys that a delivery may carry, current key first (§5.5). Empty without a current key. */
export function acceptedWebhookKeys(credential: CardTreasuryCredential): string[] {
	const [current = '', previous = ''] = [credential.webhookKey, credential.previousWebhookKey].map(
		(key) => key.trim(),
	);
	return current === '' ? [] : [current, previous].filter((key) => key !== '');
}

export { PRINTABLE_KEY };

/**
 * Base URL without slashes at its end.
 * @throws Problem if the API key must not be sent there
 */
export function baseUrlOf({ baseUrl }: Pick<CardTreasuryCredential, 'baseUrl'>): string {
	if (new RegExp(BASE_URL, 'i').test(baseUrl) && URL.canParse(baseUrl))
		return baseUrl.replace(/\/+$/, '');
	throw new Problem(
		`Base URL in the credential ${baseUrl === '' ? 'is empty' : 'is not a usable address'}`,
		'Enter it in full, e.g. https://api.example.com: https (http only for this machine), without user name, ? and #.',
	);
}

/** @throws Problem if a header cannot carry the key, because the service would then seem unreachable */
export function apiKeyOf({ apiKey }: Pick<CardTreasuryCredential, 'apiKey'>): string {
	if (apiKey !== '' && new RegExp(PRINTABLE_KEY).test(apiKey)) return apiKey;
	throw new Problem(
		`API Key in the credential ${apiKey === '' ? 'is empty' : 'has characters outside printable ASCII'}`,
		'Copy it again from the company portal into the credential.',
	);
}
