import type { IDataObject } from 'n8n-workflow';

/** Type name of the credential, as workflows save it. */
export const CREDENTIAL_TYPE = 'cardTreasuryApi';

/** §8 does not show how long the service remembers a key: a day is what many others do. */
export const DEFAULT_WINDOW_HOURS = 24;

/** The stored fields of the credential `cardTreasuryApi`. */
export interface CardTreasuryCredential {
	environment: 'sandbox' | 'production';
	baseUrl: string;
	apiKey: string;
	webhookKey: string;
	previousWebhookKey: string;
	/** How long the service remembers an idempotency key; 'invalid' where the user entered no number above 0. */
	idempotencyWindowHours: number | 'invalid';
}

/** Reads n8n's untyped credential data; absent fields become empty texts. */
export function readCredential(data: IDataObject): CardTreasuryCredential {
	const text = (name: string) => {
		const value = data[name];
		return typeof value === 'string' ? value : '';
	};
	const hours = Number(data.idempotencyWindowHours ?? DEFAULT_WINDOW_HOURS);
	return {
		environment: data.environment === 'production' ? 'production' : 'sandbox',
		baseUrl: text('baseUrl'),
		apiKey: text('apiKey'),
		webhookKey: text('webhookKey'),
		previousWebhookKey: text('previousWebhookKey'),
		idempotencyWindowHours: hours > 0 ? hours : 'invalid',
	};
}

/** The webhook keys that a delivery may carry, current first; empty when there is no current one (§5.5). */
export function acceptedWebhookKeys(credential: CardTreasuryCredential): string[] {
	const [current = '', previous = ''] = [credential.webhookKey, credential.previousWebhookKey].map(
		(key) => key.trim(),
	);
	return current === '' ? [] : [current, previous].filter((key) => key !== '');
}
