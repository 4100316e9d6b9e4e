import { classify } from '../../../../nodes/CardTreasury/request/classify.ts';
import type { RequestProfile } from '../../../../nodes/CardTreasury/request/request.ts';
import type { Attempt } from '../../../../nodes/CardTreasury/request/response.ts';
import type { Meaning } from '../../../../nodes/shared/statuses.ts';

export const WRITE: RequestProfile = { effect: 'keyed write', answer: 'object' };

export function response(
	status: number,
	body: unknown = {},
	headers: Record<string, string> = {},
): Attempt {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return {
		kind: 'response',
		status,
		headers: { 'x-trace-id': 'trace-1', ...headers },
		body: Buffer.from(text),
	};
}

/** Returns the meaning of a failed attempt. */
export function meaningOf(attempt: Attempt, profile: Partial<RequestProfile> = {}): Meaning {
	const classified = classify(attempt, { ...WRITE, ...profile });
	if (classified.kind !== 'failed') throw new Error('It has succeeded');
	return classified.meaning;
}
