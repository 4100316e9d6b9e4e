import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../../shared/credential';
import type { Transport } from './client';

export type Context = IExecuteFunctions | ILoadOptionsFunctions;

/** Limit of an attempt, the body of the reply included. Long enough for a document or a statement. */
const TIMEOUT_MS = 60_000;

/** Sends requests by n8n's helper, which adds the API key. */
export function createTransport(
	n8n: Context,
	{ data, baseUrl, apiKey }: { data: IDataObject; baseUrl: string; apiKey: string },
): Transport {
	// n8n would read the credential again for every request, and one that is edited meanwhile would mix two services.
	const credentialsDecrypted = {
		id: '',
		name: '',
		type: CREDENTIAL_TYPE,
		data: data as ICredentialDataDecryptedObject,
	};
	const hide = hiding(apiKey);
	return async ({ method, path, headers, body }) => {
		const options: IHttpRequestOptions = {
			method,
			url: baseUrl + path,
			headers,
			...(body !== undefined && { body }),
			timeout: TIMEOUT_MS,
			encoding: 'arraybuffer',
			returnFullResponse: true,
			// These two keep the helper from following a 302, and from sending again after a 401 (n8n 2.41).
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
		};
		try {
			const response = (await n8n.helpers.httpRequestWithAuthentication.call(
				endingAfter(TIMEOUT_MS, n8n),
				CREDENTIAL_TYPE,
				options,
				{ credentialsDecrypted },
			)) as IN8nHttpFullResponse;
			const named = Object.entries(response.headers).map(([name, value]) => [
				name.toLowerCase(),
				hide(String(value)),
			]);
			return {
				status: response.statusCode,
				headers: Object.fromEntries(named) as Record<string, string>,
				// Latin-1 keeps all bytes as they are.
				body: Buffer.from(hide(bytesOf(response.body).toString('latin1')), 'latin1'),
			};
		} catch (thrown) {
			return { code: codeOf(thrown) };
		}
	};
}

/**
 * Context whose requests end at a deadline. The helper's `timeout` ends only a silent connection, and the helper prefers
 * the context's signal to the one in its options (n8n 2.41). Stop ends no request, because its outcome would be lost.
 */
const endingAfter = (ms: number, n8n: Context): Context =>
	Object.create(n8n, {
		getExecutionCancelSignal: { value: () => AbortSignal.timeout(ms) },
	}) as Context;

const bytesOf = (body: unknown): Buffer =>
	Buffer.isBuffer(body) ? body : Buffer.from((body ?? '') as string);

const HIDDEN = '[API key]';

/** A shorter key would be found in other words, and protects nothing. */
const SHORTEST_KEY = 8;

/** Takes the API key out of a text: as it is, as JSON may escape it (`\"`, `\/`, `\u002b`), and with UTF-16's zeros. */
function hiding(apiKey: string): (text: string) => string {
	if (apiKey.length < SHORTEST_KEY) return (text) => text;
	const characters = [...apiKey].map((character) => {
		const code = `u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
		const escaped = [...code].map((digit) => `[${digit}${digit.toUpperCase()}]`);
		return `(?:(?:\\\\\0?)?\\${code}|${['\\\\', ...escaped].join('\0?')})`;
	});
	const key = new RegExp(characters.join('\0?'), 'g');
	return (text) =>
		text.replace(key, (found) => (found.includes('\0') ? [...HIDDEN].join('\0') : HIDDEN));
}

/** Finds the code of the network in an error of n8n or axios. n8n evaluates the credential before it sends anything. */
function codeOf(thrown: unknown): string {
	let error = thrown as
		| { name?: unknown; code?: unknown; httpCode?: unknown; cause?: unknown }
		| undefined;
	for (let depth = 0; typeof error === 'object' && error !== null && depth < 5; depth++) {
		const { name, code, httpCode } = error;
		if (/^SsrfBlocked/.test(String(name))) return 'SSRF_BLOCKED';
		if (/^Expression\w*Error$/.test(String(name))) return 'NO_CREDENTIAL';
		const found = [code, httpCode].find((value) => /^[A-Z][A-Z0-9_]{3,}$/.test(String(value)));
		if (typeof found === 'string') return found;
		error = error.cause as typeof error;
	}
	return 'NO_ANSWER';
}
