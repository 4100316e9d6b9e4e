import { createHash } from 'node:crypto';

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { checkBaseUrl, CREDENTIAL_TYPE, readCredential } from '../../service/credential';
import type { Service } from '../batch/batch';
import { createClient } from '../client/client';
import type { RateLimiters } from '../client/rateLimiter';
import type { Clock } from '../client/transport';
import { InvalidFieldError } from '../errors';
import type { Caller } from '../input';
import { n8nTransport } from './transport';

/** What all runs of a process share. */
export interface Process {
	clock: Clock;
	limiters: RateLimiters;
}

export interface Connection extends Service {
	environment: Caller['environment'];
}

/**
 * Reads and checks the credential, once for all requests of a run: one that is edited meanwhile must not send its key to
 * the address of the one before. @throws InvalidFieldError for a credential that must not be used
 */
export async function connect(
	n8n: IExecuteFunctions | ILoadOptionsFunctions,
	{ limiters, clock }: Process,
): Promise<Connection> {
	const data = await n8n.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	const { baseUrl, apiKey, environment, idempotencyWindowHours } = readCredential(data);
	const checked = checkBaseUrl(baseUrl);
	if (!checked.ok) {
		throw new InvalidFieldError(
			'Base URL in the credential',
			checked.reason,
			'Correct it in the credential.',
		);
	}
	checkApiKey(apiKey);
	if (!(idempotencyWindowHours > 0)) {
		throw new InvalidFieldError(
			'Idempotency Window in the credential',
			'is not a number of hours above 0',
			'Enter for how many hours the provider remembers an idempotency key, e.g. 24.',
		);
	}
	const { host, hostname } = new URL(checked.url);
	const credentialsDecrypted = {
		id: '',
		name: '',
		type: CREDENTIAL_TYPE,
		data: data as ICredentialDataDecryptedObject,
	};
	const transport = n8nTransport(
		async (options) =>
			await n8n.helpers.httpRequestWithAuthentication.call(n8n, CREDENTIAL_TYPE, options, {
				credentialsDecrypted,
			}),
		{ baseUrl: checked.url, allowedDomains: allowedDomains(data, hostname) },
	);
	return {
		client: createClient({ transport, limiter: limiters(host), clock }),
		target: hashOf([n8n.getInstanceId(), checked.url, environment, apiKey.trim()]),
		windowMs: idempotencyWindowHours * 3_600_000,
		environment,
	};
}

/** The execution keeps it, so no key can be read from it. */
const hashOf = (parts: string[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

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
