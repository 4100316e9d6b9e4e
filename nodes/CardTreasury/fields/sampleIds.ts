import type { KnownError } from '../request';

/** The IDs in the trigger's samples: the simulator has things of these IDs, a real service has none. */
const SAMPLE_IDS: unknown[] = [
	'00000000-0000-4000-8000-00000000ca4d',
	'sample-client',
	'sample-wallet',
];

/** What is not found because its ID comes from a sample says so. */
export function errorsFor(values: object, errors: KnownError[] = []): KnownError[] {
	if (!Object.values(values).some((value) => SAMPLE_IDS.includes(value))) return errors;
	const fix =
		"This ID comes from the trigger's sample and exists only in the simulator. Enter the ID of a real one, or test with a real event.";
	return errors.map((error) => (error.message.endsWith('not found') ? { ...error, fix } : error));
}
