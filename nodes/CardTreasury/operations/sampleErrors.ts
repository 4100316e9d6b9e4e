import { SAMPLE_IDS } from '../../shared/sampleIds';
import type { KnownError } from '../request/request';

/** Returns the errors of an operation. If a value is a sample ID, the not-found error points that out. */
export function errorsFor(values: object, errors: KnownError[] = []): KnownError[] {
	const ids: unknown[] = Object.values(SAMPLE_IDS);
	if (!Object.values(values).some((value) => ids.includes(value))) return errors;
	const fix =
		"This ID comes from the trigger's sample and exists only in the simulator. Enter an ID of the service, or test with a real event.";
	return errors.map((error) => (error.message.endsWith('not found') ? { ...error, fix } : error));
}
