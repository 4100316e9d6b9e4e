import { isObject } from '../../service/isObject';
import type { JsonObject } from '../input';
import type { ServiceAnswer } from '../request';

/** The answer's object as it came. */
export function objectOf({ json }: Pick<ServiceAnswer, 'json'>): JsonObject {
	return isObject(json) ? json : {};
}

/** The objects of a list, in its order, as they came. */
export function objectsIn(list: unknown): JsonObject[] {
	return Array.isArray(list) ? list.filter(isObject) : [];
}
