import {
	readExecution,
	readMemory,
	type Execution,
	type Memory,
	type Run,
} from '../../../../nodes/CardTreasury/run/execution.ts';
import type { Item } from '../../../../nodes/CardTreasury/run/item.ts';
import { prepare } from '../../../../nodes/CardTreasury/run/prepare.ts';
import type { Send } from '../../../../nodes/CardTreasury/service/client.ts';
import { RECIPIENT } from '../../../harness/fixtures.mts';
import { hostOf, operationOf } from '../../reading.mts';

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
	...readMemory(hostOf({}).n8n)!,
	journal: { sent },
});

export const runOf = (more: Partial<Run> = {}): Run => ({
	...executionOf(),
	operation: transfer,
	service: serviceOf(async () => await Promise.reject(new Error('It must not be sent'))),
	memory: memoryOf(),
	...more,
});

/** Service that makes no request wait. */
export const serviceOf = (send: Send) => ({
	host: 'api.example.com',
	turn: async () => await Promise.resolve(),
	send,
});

export const itemOf = (index: number, values: object): Item => ({ index, values: { ...values } });

/** Prepared items. */
export function prepared(all: object[], run = runOf()): Item[] {
	const items = all.map((values, index) => itemOf(index, values));
	for (const item of items) prepare(item, run);
	return items;
}

export const executionOf = (more: Partial<Execution> = {}): Execution => ({
	...readExecution(hostOf({}).n8n),
	...more,
});
