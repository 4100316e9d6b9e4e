import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { publishChain, startChain } from '../harness/n8n/chain.mts';
import { readExecution } from '../harness/n8n/executions.mts';
import { installN8n } from '../harness/n8n/install.mts';
import {
	installPack,
	newUserFolder,
	packPack,
	startN8n,
	type RunningN8n,
} from '../harness/n8n/n8n.mts';
import { createCredential, endedExecutions, simulatorKeys } from '../harness/n8n/scenario.mts';
import { asVersion, installedVersion, keptVersion } from '../harness/n8n/versions.mts';
import { items, transfer } from '../harness/queue/transfers.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';

/** Checks that an update of the package forgets no payment, in every supported n8n. */

useSimulator();

const PAYMENTS = 1_000;
/** 1,000 payments take 67 s at 15 per second. A busy machine needs longer. */
const WITHIN_MS = 600_000;

let folder: string;

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'card-treasury-update-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(
	`Update: ${PAYMENTS} paid references are not paid again`,
	async () => {
		const host = await installN8n(() => undefined);
		const current = await packPack(folder);
		const next = await asVersion(current, '9.9.9', folder);
		const earlier = keptVersion() ?? (await asVersion(current, '0.0.1', folder));
		let n8n: RunningN8n | undefined;
		const userFolder = await newUserFolder(earlier);
		try {
			await installPack(userFolder, earlier);
			n8n = await startN8n(host, earlier, { userFolder });
			expect(basename(earlier)).toContain(`-${installedVersion(userFolder)}.tgz`);
			const credential = await createCredential(n8n, simulatorKeys(simulator));
			const chain = await publishChain(n8n, [items(PAYMENTS), transfer(credential)]);
			const statuses = async (count: number) => {
				await startChain(n8n!, chain);
				const { id } = (await endedExecutions(n8n!, chain, count, WITHIN_MS)).at(-1)!;
				const paid = (await readExecution(n8n!, id)).outputs('Transfer')?.[0] ?? [];
				return paid.map(({ status }) => String(status));
			};
			expect(await statuses(1)).toEqual(Array(PAYMENTS).fill('SUCCESS'));
			await n8n.end();

			await installPack(userFolder, next);
			n8n = await startN8n(host, next, { userFolder });
			expect(installedVersion(userFolder)).toBe('9.9.9');
			expect(await statuses(2)).toEqual(Array(PAYMENTS).fill('ALREADY_SENT'));
			expect(simulator.ledger).toHaveLength(PAYMENTS);
		} finally {
			await n8n?.end();
			rmSync(userFolder, { recursive: true, force: true });
		}
	},
	2 * WITHIN_MS,
);
