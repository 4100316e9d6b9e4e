import type { Client, RequestResult } from '../client/client';
import type { RequestGroup } from '../client/requestGroup';
import { InvalidFieldError, orInvalid } from '../errors';
import type { ItemResult } from './batch';
import type { Prepared } from './work';

/**
 * Checks each item against what the service says at the moment, before anything is sent. Items that need the same read
 * share one.
 * @returns per item, why it must not be sent; undefined when it may be
 */
export async function precheck(
	client: Client,
	group: RequestGroup,
	prepared: Array<Prepared | InvalidFieldError>,
): Promise<Array<Extract<ItemResult, { kind: 'failed' }> | undefined>> {
	const reads = new Map<string, Promise<RequestResult>>();
	return await Promise.all(
		prepared.map(async (work) => {
			if (work instanceof InvalidFieldError || !work.precheck || work.replay) return undefined;
			const { request, profile, check } = work.precheck;
			const read =
				reads.get(request.path) ?? client.send({ request, profile, policy: work.policy }, group);
			reads.set(request.path, read);
			const result = await read;
			if (result.kind === 'stopped') return undefined;
			if (result.kind === 'answered') {
				const objection = await orInvalid(() => check(result.answer));
				return objection instanceof InvalidFieldError
					? { kind: 'failed', failure: objection, attempts: 0 }
					: undefined;
			}
			// A key may be scoped to writing (§5.1): the write itself then shows whether it is accepted.
			if (result.failure.status === 401 || result.failure.status === 403) return undefined;
			const { failure, attempts } = result;
			const fix = `${failure.fix} This was only the check before sending: nothing was sent for this item.`;
			return { kind: 'failed', failure: { ...failure, fix, outcome: 'not_sent' }, attempts };
		}),
	);
}
