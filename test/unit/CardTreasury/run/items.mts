import type { Execution, Memory } from '../../../../nodes/CardTreasury/run/execution.ts';
import type { Item } from '../../../../nodes/CardTreasury/run/item.ts';
import { runNoteOf } from '../../../../nodes/CardTreasury/run/names.ts';
import { prepare, type Common } from '../../../../nodes/CardTreasury/run/prepare.ts';
import { RECIPIENT } from '../../../harness/fixtures.mts';
import { operationOf } from '../../reading.mts';

export const HOST = 'api.example.com';
export const transfer = operationOf('wallet: transfer');

/** Values of a transfer, as read from the fields. */
export const valuesOf = (amount: string, paymentReference: string, more: object = {}) => ({
	accountId: 'acc-1',
	walletId: 'w-1',
	to: RECIPIENT,
	tokenAddress: { address: null, name: 'of the native coin' },
	amount,
	paymentReference,
	maximumAmount: '1000',
	...more,
});

export const memoryOf = (sent: Memory['journal']['sent'] = {}): Memory => ({
	runNote: runNoteOf(1_700_000_000_000, 0),
	runIndex: 0,
	firstExecution: '17',
	journal: { sent },
});

export const commonOf = (more: Partial<Common> = {}): Common => ({
	operation: transfer,
	isTool: false,
	host: HOST,
	memory: memoryOf(),
	...more,
});

export const itemOf = (index: number, values: object): Item => ({ index, values: { ...values } });

/** Prepared items. */
export function prepared(all: object[], common: Common = commonOf()): Item[] {
	const items = all.map((values, index) => itemOf(index, values));
	for (const item of items) prepare(item, common);
	return items;
}

export const executionOf = (more: Partial<Execution> = {}): Execution => ({
	node: {
		...{ id: 'node-1', name: 'Card Treasury', type: 'cardTreasury', typeVersion: 1 },
		...{ position: [0, 0], parameters: {} },
	},
	continueOnFail: false,
	isTool: false,
	isRetry: false,
	isStopped: () => false,
	...more,
});
