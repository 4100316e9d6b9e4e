import { carriesChecksum } from '../../../service/address';
import { isObject } from '../../../service/isObject';
import type { JsonObject } from '../../input';
import type { Hint } from '../../operation';

/** Warns of transfers that must not be taken for done, or sent again. */
export function transferHints(results: JsonObject[][]): Hint[] {
	const items = results.flat();
	const count = (...statuses: unknown[]) =>
		items.filter(({ status }) => statuses.includes(status)).length;
	return [
		hint(
			count('PENDING', 'MANUAL_CHECK'),
			'1 transfer is pending or needs a manual check. Do not send it again: wait for the treasury.transfer event.',
			'transfers are pending or need a manual check. Do not send them again: wait for their treasury.transfer events.',
		),
		hint(
			count('FAILED'),
			'1 transfer FAILED and is on the success branch. Retrying this execution returns the same result; a new execution sends a new transfer.',
			'transfers FAILED and are on the success branch. Retrying this execution returns the same results; a new execution sends new transfers.',
		),
		hint(
			count(null),
			'1 transfer came back without a status. Do not treat it as done, and do not send it again: wait for the treasury.transfer event.',
			'transfers came back without a status. Do not treat them as done, and do not send them again: wait for their treasury.transfer events.',
		),
		hint(
			items.filter(isUncheckable).length,
			'The recipient address of 1 transfer carries no checksum: a typo in it goes unnoticed. Compare it with its source, or enter its mixed-case form.',
			'transfers go to addresses that carry no checksum: a typo in one goes unnoticed. Compare them with their source, or enter their mixed-case form.',
		),
	].flat();
}

/** Also in a dry run, which shows the request: there it can still be corrected. */
function isUncheckable({ to: sentTo, body, status }: JsonObject): boolean {
	const to = sentTo ?? (isObject(body) ? body.to : undefined);
	return status !== 'NOTHING_TO_SEND' && typeof to === 'string' && !carriesChecksum(to);
}

function hint(count: number, one: string, several: string): Hint[] {
	if (count === 0) return [];
	return [{ message: count === 1 ? one : `${count} ${several}`, warning: true }];
}
