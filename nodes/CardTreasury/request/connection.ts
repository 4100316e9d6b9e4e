import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { checkBaseUrl, CREDENTIAL_TYPE, readCredential } from '../../service/credential';
import { FieldRefusal } from '../parameters/reader';
import { Pacer, type Clock } from './pacer';

/** The service at one address with one credential, as n8n lets us reach it. */
export interface Connection {
	/** Without a trailing slash. */
	baseUrl: string;
	/** The domains that the credential may be used with; undefined = any. */
	allowedDomains?: string;
	pacer: Pacer;
	clock: Clock;
	httpRequest(
		options: IHttpRequestOptions,
	): Promise<{ statusCode: number; headers: unknown; body: unknown }>;
}

/** The process's clock. */
const clock: Clock = {
	now: () => performance.now(),
	wait: async (ms, signal) => {
		if (signal?.aborted) return;
		await Promise.race([
			sleep(ms),
			new Promise<void>((resolve) =>
				signal?.addEventListener('abort', () => resolve(), { once: true }),
			),
		]);
	},
};

/** One pacer per host for the whole process: §8 counts by IP address and by company. */
const pacers = new Map<string, Pacer>();

/** Reads and checks the credential. Throws `FieldRefusal` for a base URL that must not be used. */
export async function connect(n8n: IExecuteFunctions | ILoadOptionsFunctions): Promise<Connection> {
	const data = await n8n.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	const credential = readCredential(data);
	const checked = checkBaseUrl(credential.baseUrl);
	if (!checked.ok) {
		throw new FieldRefusal(
			'Base URL in the credential',
			checked.reason,
			'Correct it in the credential.',
		);
	}
	if (credential.apiKey.trim() === '') {
		throw new FieldRefusal('API Key in the credential', 'is empty', 'Enter it in the credential.');
	}
	const host = new URL(checked.url).host;
	return {
		baseUrl: checked.url,
		allowedDomains: allowedDomains(data, new URL(checked.url).hostname),
		pacer: pacerOf(host),
		clock,
		httpRequest: async (options) =>
			await n8n.helpers.httpRequestWithAuthentication.call(n8n, CREDENTIAL_TYPE, options),
	};
}

function pacerOf(host: string): Pacer {
	const pacer = pacers.get(host) ?? new Pacer(clock);
	pacers.set(host, pacer);
	return pacer;
}

/** n8n adds these two fields to every credential that authenticates requests; a node has to respect them itself. */
function allowedDomains(data: IDataObject, hostname: string): string | undefined {
	if (data.allowedHttpRequestDomains !== 'domains') return undefined;
	const list = typeof data.allowedDomains === 'string' ? data.allowedDomains : '';
	const allowed = list
		.split(',')
		.map((domain) => domain.trim().toLowerCase())
		.some((domain) =>
			domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : hostname === domain,
		);
	if (!allowed) {
		throw new FieldRefusal(
			'Allowed Domains in the credential',
			`does not list ${hostname}`,
			'Add the host of the Base URL to it, or allow all domains.',
		);
	}
	return list;
}
