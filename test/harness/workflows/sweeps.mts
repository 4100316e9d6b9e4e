import { IDS, MAGIC_RECIPIENTS } from '../../simulator/index.mts';
import { RECIPIENT } from '../fixtures.mts';
import { withOptions, type WorkflowFile } from './workflowFiles.mts';

export const WALLETS = 'Treasury sweep wallets';
export const LOG = 'Treasury sweep log';
export const TREASURY = RECIPIENT;
export const EVENING = 'Every day at 18:00';

export const today = new Date().toISOString().slice(0, 10);
export const key = (wallet: string, token: string) => `sweep-${wallet}-${token}-${today}`;

/** Fills in who may receive money, and changes other options of the node that sends. */
export function allow(file: WorkflowFile, changes: object): WorkflowFile {
	const allowedRecipients = [TREASURY, ...Object.values(MAGIC_RECIPIENTS)].join(', ');
	return withOptions(file, 'Transfer', { allowedRecipients, ...changes });
}

/** A row of the table of wallets, ready to be swept. */
export const row = (
	wallet_id: string,
	token_address: string,
	balance: string,
	floor: string,
	differences: object = {},
) => ({
	account_id: IDS.account,
	wallet_id,
	token_address,
	to: TREASURY,
	floor,
	maximum: '99999999',
	ask_above: '',
	balance,
	balance_day: today,
	...differences,
});

/** The line with which every run ends. */
export const summary = (counts: string) => `#treasury *Sweep of ${today}:* ${counts}`;

/** What the last line of a run counts. */
export function counted(told: string[]): Record<string, number> {
	const line = told.find((text) => text.includes('*Sweep of '))!;
	const counts = line.replace(/^.* looked at: |\.$/g, '').split(', ');
	return Object.fromEntries(counts.map((each) => [each.replace(/^\d+ /, ''), parseInt(each, 10)]));
}
