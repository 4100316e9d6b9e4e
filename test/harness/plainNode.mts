import type { Transport } from '../../nodes/CardTreasury/request/client.ts';

/** Transport for the client without n8n. */
export function fetchTransport(baseUrl: string, apiKey: string): Transport {
	return async ({ method, path, headers, body, timeoutMs }) => {
		try {
			const response = await fetch(baseUrl + path, {
				method,
				headers: { ...headers, 'x-api-key': apiKey },
				body,
				redirect: 'manual',
				signal: AbortSignal.timeout(timeoutMs),
			});
			const received: Record<string, string> = {};
			response.headers.forEach((value, name) => (received[name] = value));
			return {
				kind: 'response',
				status: response.status,
				headers: received,
				body: Buffer.from(await response.arrayBuffer()),
			};
		} catch (thrown) {
			const { name, cause } = thrown as { name?: string; cause?: { code?: string } };
			return {
				kind: 'no response',
				code: cause?.code ?? 'NO_ANSWER',
				timedOut: name === 'TimeoutError',
			};
		}
	};
}
