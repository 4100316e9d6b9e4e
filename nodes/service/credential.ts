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

export type BaseUrlCheck = { ok: true; url: string } | { ok: false; reason: string };

/**
 * Checks the base URL and removes trailing slashes, so that paths of the interface document can be appended.
 * https, or http on a loopback host only: the API key travels in a header.
 */
export function checkBaseUrl(baseUrl: string): BaseUrlCheck {
	const text = baseUrl.trim();
	if (text === '')
		return { ok: false, reason: 'is empty. Enter the address that the provider gave you' };
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return { ok: false, reason: 'is not a URL. Enter it in full, e.g. https://api.example.com' };
	}
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
		return {
			ok: false,
			reason:
				'must start with https:// (http:// only for this machine, e.g. http://127.0.0.1:4010)',
		};
	}
	if (url.username || url.password) {
		return {
			ok: false,
			reason: 'must not contain a user name or password. The API key has a field of its own',
		};
	}
	if (url.search || url.hash) {
		return {
			ok: false,
			reason: 'must not contain a query or fragment: remove everything from ? or # on',
		};
	}
	return { ok: true, url: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
