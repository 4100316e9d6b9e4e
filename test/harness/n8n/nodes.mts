import type { Reference } from './credentials.mts';
import type { ChainNode } from './workflows.mts';

/** Node of n8n by the short name of its type, or of another package by the whole one. */
export const nodeOf = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: object = {},
): ChainNode => ({
	...{ name, typeVersion, parameters },
	type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
});

export const cardTreasury = (
	parameters: object,
	credential: Reference,
	settings: Partial<ChainNode> = {},
): ChainNode => ({
	...nodeOf('Card Treasury', 'n8n-nodes-card-treasury.cardTreasury', 1, parameters),
	credentials: { cardTreasuryApi: credential },
	...settings,
});

export const cardTreasuryTool = (name: string, parameters: object, credential: Reference) =>
	cardTreasury({ descriptionType: 'auto', ...parameters }, credential, {
		name,
		type: 'n8n-nodes-card-treasury.cardTreasuryTool',
	});

export const respond = (credential: Reference, name = 'Respond', decision = 'approve') =>
	cardTreasury({ resource: 'authorization', operation: 'respond', decision }, credential, { name });

export const TRIGGER_TYPE = 'n8n-nodes-card-treasury.cardTreasuryTrigger';

export const cardTreasuryTrigger = (credential: Reference, parameters: object): ChainNode => ({
	...nodeOf('Trigger', TRIGGER_TYPE, 2, parameters),
	credentials: { cardTreasuryApi: credential },
});

/** Start of a run from the editor or by `n8n execute`. */
export const manualTrigger = nodeOf('Start', 'manualTrigger', 1);

/** Splits a list of the webhook's body, by default its `items`. */
export const splitList = (list: string) =>
	nodeOf('Items', 'splitOut', 1, { fieldToSplitOut: `body.${list}`, options: {} });
export const splitItems = splitList('items');

export const code = (name: string, jsCode: string) => nodeOf(name, 'code', 2, { jsCode });

/** Returns numbered items, from 1 on, with the name that the webhook got. */
export const numbered = (count: number) =>
	code(
		'Items',
		`const { name = 'INV' } = $('Webhook').first().json.body;
return Array.from({ length: ${count} }, (_, index) => ({ json: { name, number: String(index + 1) } }));`,
	);

export const noOp = (name: string) => nodeOf(name, 'noOp', 1);

export const waitSeconds = (name: string, amount: number) =>
	nodeOf(name, 'wait', 1.1, { resume: 'timeInterval', amount, unit: 'seconds' });

/** Node that is too slow for an authorization. Unlike Wait, it may stand before the answer in a published workflow. */
export const slowly = (name: string, seconds: number) =>
	code(
		name,
		`await new Promise((resolve) => setTimeout(resolve, ${seconds * 1_000}));\nreturn $input.all();`,
	);

export const failing = (name: string) =>
	nodeOf(name, 'stopAndError', 1, { errorMessage: 'Stopped on purpose' });
