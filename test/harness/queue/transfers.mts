import { type Simulator } from '../../simulator/index.mts';
import { transferOf } from '../fixtures.mts';
import type { Reference } from '../n8n/credentials.mts';
import { cardTreasury } from '../n8n/nodes.mts';
import type { ChainNode } from '../n8n/workflows.mts';

/** Returns numbered items, from 1 on, with the name that the webhook got. */
export const items = (count: number): ChainNode => ({
	name: 'Items',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `const { name = 'INV' } = $('Webhook').first().json.body;
return Array.from({ length: ${count} }, (_, index) => ({ json: { name, number: String(index + 1) } }));`,
	},
});

/** Pays each item under its name and number. */
export const transfer = (
	credential: Reference,
	options: object = {},
	settings: Partial<ChainNode> = {},
): ChainNode =>
	cardTreasury(
		{
			...transferOf('={{ $json.number }}', options),
			paymentReference: '={{ $json.name }}-{{ $json.number }}',
		},
		credential,
		{ name: 'Transfer', ...settings },
	);

export const amountsOf = ({ ledger }: Simulator) =>
	ledger.map(({ amountText }) => Number(amountText)).sort((left, right) => left - right);
