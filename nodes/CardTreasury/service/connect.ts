import type { IDataObject } from 'n8n-workflow';

import { apiKeyOf, baseUrlOf, CREDENTIAL_TYPE, readCredential } from '../../shared/credential';
import { Problem } from '../../shared/problem';
import { createSend, type Send } from './client';
import { RateLimiter, type IsStopped } from './limiter';
import { createTransport, type Context } from './transport';

export interface Service {
	/** Host and port, which name the service in keys and in the memory. */
	host: string;
	/** Resolves when the rate allows the next request, or after Stop. Never throws. */
	turn(isStopped: IsStopped): Promise<void>;
	send: Send;
}

/** Limiters by host, for all executions of the process: the service counts per IP address and company (§8). */
export type Limiters = Map<string, RateLimiter>;

/**
 * Reads and checks the credential, once per run.
 * @throws Problem if it must not be used
 */
export async function connect(n8n: Context, limiters: Limiters): Promise<Service> {
	const data = await n8n.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	const credential = readCredential(data);
	const baseUrl = baseUrlOf(credential);
	const apiKey = apiKeyOf(credential);
	const { host, hostname } = new URL(baseUrl);
	checkAllowedDomains(data, hostname);
	const limiter = limiters.get(host) ?? new RateLimiter();
	limiters.set(host, limiter);
	return {
		host,
		turn: async (isStopped) => await limiter.turn(isStopped),
		send: createSend(createTransport(n8n, { data, baseUrl, apiKey }), limiter),
	};
}

/** n8n adds the restriction to domains to every credential, and each node must enforce it. */
function checkAllowedDomains(data: IDataObject, hostname: string): void {
	if (data.allowedHttpRequestDomains !== 'domains') return;
	const domains = String(data.allowedDomains ?? '')
		.toLowerCase()
		.split(',');
	const allows = (domain: string) =>
		domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : hostname === domain;
	if (domains.some((domain) => allows(domain.trim()))) return;
	throw new Problem(
		`Allowed Domains in the credential does not list ${hostname}`,
		'Add the host of the Base URL to it, or allow all domains.',
	);
}
