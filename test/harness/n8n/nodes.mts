import type { Reference } from './credentials.mts';
import type { ChainNode } from './workflows.mts';

export const cardTreasury = (
	parameters: object,
	credential: Reference,
	settings: Partial<ChainNode> = {},
): ChainNode => ({
	name: 'Card Treasury',
	type: 'n8n-nodes-card-treasury.cardTreasury',
	typeVersion: 1,
	parameters,
	credentials: { cardTreasuryApi: credential },
	...settings,
});

/** The action node as a tool for agents. */
export const cardTreasuryTool = (
	name: string,
	parameters: object,
	credential: Reference,
): ChainNode =>
	cardTreasury({ descriptionType: 'auto', ...parameters }, credential, {
		name,
		type: 'n8n-nodes-card-treasury.cardTreasuryTool',
	});

/** Start of a run from the editor or by `n8n execute`. */
export const manualTrigger: ChainNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

/** Start of a sub-workflow, which gets the items of its caller. */
export const calledTrigger: ChainNode = {
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/** Calls a sub-workflow with all items and waits for its end. */
export const callWorkflow = (id: string): ChainNode => ({
	name: 'Call',
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.2,
	parameters: { workflowId: { __rl: true, mode: 'id', value: id }, options: {} },
});

/** Splits the `items` of the webhook's body. */
export const splitItems: ChainNode = {
	name: 'Items',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.items', options: {} },
};

export const noOp = (name: string): ChainNode => ({
	name,
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
});

export const waitSeconds = (name: string, amount: number): ChainNode => ({
	name,
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { resume: 'timeInterval', amount, unit: 'seconds' },
});

/** Node that is too slow for an authorization. Unlike Wait, it may stand before the answer in a published workflow. */
export const slowly = (name: string, seconds: number): ChainNode => ({
	name,
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `await new Promise((resolve) => setTimeout(resolve, ${seconds * 1_000}));\nreturn $input.all();`,
	},
});

export const respond = (
	credential: Reference,
	name = 'Respond',
	decision = 'approve',
): ChainNode => ({
	name,
	type: 'n8n-nodes-card-treasury.cardTreasury',
	typeVersion: 1,
	parameters: { resource: 'authorization', operation: 'respond', decision },
	credentials: { cardTreasuryApi: credential },
});

export const failing = (name: string): ChainNode => ({
	name,
	type: 'n8n-nodes-base.stopAndError',
	typeVersion: 1,
	parameters: { errorMessage: 'Stopped on purpose' },
});

/** Type of the trigger node in n8n. */
export const TRIGGER_TYPE = 'n8n-nodes-card-treasury.cardTreasuryTrigger';

/** Trigger node, named Trigger. */
export const cardTreasuryTrigger = (credential: Reference, parameters: object): ChainNode => ({
	name: 'Trigger',
	type: TRIGGER_TYPE,
	typeVersion: 2,
	parameters,
	credentials: { cardTreasuryApi: credential },
});
