import { FieldRefusal } from '../parameters/reader';

/** Turns bad input into a value; anything else is a defect and goes on as it is. */
export async function settle<Value>(
	work: () => Value | Promise<Value>,
): Promise<Value | FieldRefusal> {
	return await Promise.resolve()
		.then(work)
		.catch((thrown: unknown) => (thrown instanceof FieldRefusal ? thrown : Promise.reject(thrown)));
}
