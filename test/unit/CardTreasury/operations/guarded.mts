import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import { RECIPIENT } from '../../../harness/fixtures.mts';
import { workOf, type Item } from './reading.mts';

export { RECIPIENT };
export const TOKEN = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';
export const TRANSFER = {
	accountId: 'a',
	walletId: 'w',
	to: RECIPIENT,
	tokenAddress: TOKEN,
	amountMode: 'fixed',
	amount: '10',
	referenceFrom: 'data',
	paymentReference: 'INV-1',
	maximumAmount: '1000',
};
export const SWEEP = { ...TRANSFER, amountMode: 'aboveFloor', balance: '750', floor: '500' };
export const RAMP = { rampTransferId: 'r', amount: '10' };

export const withOptions = (options: object, item: Partial<Item> = {}): Item => ({
	parameters: { ...TRANSFER, options },
	...item,
});

/** Returns the message and the fix of a refusal. */
export async function refused(item: Item, name = 'wallet: transfer'): Promise<[string, string]> {
	const error: unknown = await workOf(name, item).catch((thrown: unknown) => thrown);
	if (error instanceof InvalidFieldError) return [error.message, error.fix];
	throw new Error(`Not refused: ${JSON.stringify(error)}`);
}
export const refusalOf = async (item: Item, name?: string) => (await refused(item, name))[0];
