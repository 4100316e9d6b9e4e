import { isObject } from '../../shared/isObject';
import type { JsonObject } from '../request/input';
import type { Hint } from './operation';

/** Returns an unexpected reply to a change as `{ answer }`. Empty for no body or `{}`. */
export function undocumented(json: unknown): { answer?: unknown } {
	const isEmpty = json === undefined || (isObject(json) && Object.keys(json).length === 0);
	return isEmpty ? {} : { answer: json };
}

/** @param results items of each input item that succeeded */
export function undocumentedHints(results: JsonObject[][]): Hint[] {
	const count = results.flat().filter((item) => item.answer !== undefined).length;
	if (count === 0) return [];
	return [
		{
			message: `${count === 1 ? '1 reply was' : `${count} replies were`} not the documented one. See answer, and check the card with Get.`,
			type: 'warning',
		},
	];
}
