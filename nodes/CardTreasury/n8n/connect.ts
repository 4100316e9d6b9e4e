import type { IDataObject, IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

import { checkBaseUrl, CREDENTIAL_TYPE, readCredential } from '../../service/credential';
import { createClient, type Client } from '../client/client';
import { createRateLimiters, type RateLimiter } from '../client/rateLimiter';
import type { Clock } from '../client/transport';
import { InvalidFieldError } from '../errors';
import type { Caller } from '../input';
import { n8nTransport } from './transport';

/** The service at one address with one credential. */
export interface Connection {
	client: Client;
	environment: Caller['environment'];
}

/** The process's clock. */
export const clock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	wait: async (ms, signal) => {
		if (signal?.aborted) return;
		// Its timer keeps no process alive, so that nothing is left behind by a wait that Stop has ended.
		const timeout = AbortSignal.timeout(Math.ceil(ms));
		await new Promise<void>((resolve) => {
			for (const end of [timeout, signal])
				end?.addEventListener('abort', () => resolve(), { once: true });
		});
	},
};

/** One rate limiter per host. */
export type RateLimiters = (host: string) => RateLimiter;

/** The node's rate limiters: §8 counts by IP address and by company, so one per host for the whole process. */
export const createLimiters = (by: Clock = clock): RateLimiters => createRateLimiters(by);

/** Reads and checks the credential. @throws InvalidFieldError for a credential that must not be used */
export async function connect(
	n8n: IExecuteFunctions | ILoadOptionsFunctions,
	limiters: RateLimiters,
	by: Clock = clock,
): Promise<Connection> {
	const data = await n8n.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	const credential = readCredential(data);
	const checked = checkBaseUrl(credential.baseUrl);
	if (!checked.ok) {
		throw new InvalidFieldError(
			'Base URL in the credential',
			checked.reason,
			'Correct it in the credential.',
		);
	}
	checkApiKey(credential.apiKey);
	const { host, hostname } = new URL(checked.url);
	const transport = n8nTransport(
		async (options) =>
			await n8n.helpers.httpRequestWithAuthentication.call(n8n, CREDENTIAL_TYPE, options),
		{ baseUrl: checked.url, allowedDomains: allowedDomains(data, hostname) },
	);
	return {
		client: createClient({ transport, limiter: limiters(host), clock: by }),
		environment: credential.environment,
	};
}

/** What cannot stand in a header would fail as if the service could not be reached. */
function checkApiKey(apiKey: string): void {
	const reason =
		apiKey.trim() === ''
			? 'is empty'
			: /^[\x21-\x7e]+$/.test(apiKey.trim())
				? undefined
				: 'contains a space, a line break or a character that cannot be sent';
	if (reason === undefined) return;
	throw new InvalidFieldError(
		'API Key in the credential',
		reason,
		'Enter it again in the credential.',
	);
}

/** n8n adds these two fields to every credential that authenticates requests; a node has to respect them itself. */
function allowedDomains(data: IDataObject, hostname: string): string | undefined {
	if (data.allowedHttpRequestDomains !== 'domains') return undefined;
	const list = typeof data.allowedDomains === 'string' ? data.allowedDomains : '';
	if (isAllowed(list, hostname)) return list;
	throw new InvalidFieldError(
		'Allowed Domains in the credential',
		`does not list ${hostname}`,
		'Add the host of the Base URL to it, or allow all domains.',
	);
}

/** Whether the comma-separated list has the host; `*.example.com` stands for every host below example.com. */
export function isAllowed(list: string, hostname: string): boolean {
	return list
		.split(',')
		.map((domain) => domain.trim().toLowerCase())
		.some((domain) =>
			domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : hostname === domain,
		);
}
