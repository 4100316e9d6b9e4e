import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packPack } from '../harness/n8n/n8n.mts';
import {
	hitSecondWallet,
	itemsOf,
	outcomesOf,
	paid,
	pay,
	payments,
	publishPayments,
	retry,
} from '../harness/n8n/payments.mts';
import { n8n, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { asVersion, installedVersion, keptVersion } from '../harness/n8n/versions.mts';
import { simulator } from '../simulator/useSimulator.mts';

/** An update from the kept version of the package, or from this one under another number, forgets no payment. */

const COUNT = 300;

const folder = mkdtempSync(join(tmpdir(), 'card-treasury-update-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const current = async (version: string) => await asVersion(await packPack(folder), version, folder);

useN8n(undefined, async () => keptVersion() ?? (await current('0.0.1')));

const keysIn = (ran: Parameters<typeof paid>[0]) =>
	paid(ran).map(({ idempotency_key: key }) => String(key));

it(`Update: ${COUNT} references keep their notes and keys, and Retry its journal`, async () => {
	const chain = await publishPayments(payments(), { onError: 'continueRegularOutput' });
	simulator.faults.add({ kind: 'status', status: 409, effect: true });
	const before = await pay(chain, itemsOf(COUNT));
	const others = Array<string>(COUNT - 1);
	expect(outcomesOf(before)).toEqual(['unknown', ...others.fill('done')]);
	const stopped = await publishPayments(payments({ paymentReference: '=B-{{ $json.amount }}' }));
	hitSecondWallet({ kind: 'status', status: 412 });
	const { id } = await pay(stopped, itemsOf(12, 12));

	await scenario.update(await current('9.9.9'));
	expect(installedVersion(n8n.userFolder)).toBe('9.9.9');
	const after = await pay(chain, itemsOf(COUNT), 2);
	expect(outcomesOf(after)).toEqual(['unknown', ...others.fill('already_sent')]);
	expect(keysIn(after)).toEqual(keysIn(before));
	const retried = paid(await retry(stopped, id, 2)).map(({ repeated }) => repeated);
	expect(retried).toEqual([...Array<boolean>(11).fill(true), undefined]);
	expect(simulator.ledger).toHaveLength(COUNT + 12);
});
