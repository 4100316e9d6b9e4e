import type { History } from './history.mts';

/** Histories found by the model, shortened. */
export const HISTORIES: Record<string, History> = {
	'n8n is killed after the node has finished, and counts its runs on': {
		world: { nodes: [{ naming: 'anew' }], promisedHours: 24 },
		commands: [{ do: 'start', crash: { at: 6 } }, { do: 'retry' }],
	},
	'an unkeyed request, and n8n is killed after the node has finished': {
		world: { nodes: [{ kind: 'request' }], promisedHours: 24 },
		commands: [{ do: 'start', crash: { at: 6 } }, { do: 'retry' }],
	},
	'an unkeyed request whose row has moved when the crashed execution is retried': {
		world: { nodes: [{ kind: 'request', continueOnFail: true }], shifts: true },
		commands: [{ do: 'start', rows: [{ bad: true }, {}], crash: { at: 3 } }, { do: 'retry' }],
	},
	'Maximum Transfers after a crash': {
		world: { nodes: [{ continueOnFail: true, maximumTransfers: 1 }], promisedHours: 24 },
		commands: [
			{
				do: 'together',
				runs: [
					{ do: 'start', rows: [{}, { row: 1 }, { row: 2 }], crash: { at: 5 } },
					{ do: 'start', rows: [{}, { row: 1 }] },
				],
			},
			{ do: 'together', runs: [{ do: 'retry' }, { do: 'start' }] },
		],
	},
	'an entry with a rejection is retried after another retry has paid the item': {
		world: { promisedHours: 24 },
		commands: [
			{ do: 'start', faults: [{ kind: '404' }] },
			{ do: 'retry', faults: [{ kind: '404' }] },
			{ do: 'retry', of: 1 },
			{ do: 'retry', noCredential: true },
		],
	},
	"an agent's equal payment is rejected, and its retry spells the references differently": {
		world: { nodes: [{ attempts: 1 }], agent: true, promisedHours: 24 },
		commands: [
			{
				do: 'start',
				rows: [{ reference: 1 }, { reference: 2 }],
				faults: [{ at: 1, kind: '404' }],
				agentFails: true,
			},
			{ do: 'edit', change: { referenceVersion: 5 } },
			{ do: 'retry', saved: true },
		],
	},
	'the API key is changed between a crash and the retry': {
		world: { promisedHours: 24 },
		commands: [
			{ do: 'start', crash: { at: 3, after: true } },
			{ do: 'credential', target: 2 },
			{ do: 'retry' },
		],
	},
	'Maximum Total in a retry of an older entry, after another retry has paid an item': {
		world: { nodes: [{ maximumTotal: 100 }], promisedHours: 24 },
		commands: [
			{
				do: 'start',
				rows: [{ amount: 40 }, { row: 1, amount: 40 }, { row: 2, amount: 20 }],
				faults: [{ at: 1, times: 2, kind: '404' }],
			},
			{ do: 'retry', faults: [{ at: 1, kind: '404' }] },
			{ do: 'edit', change: { amountPlus: 30, only: 2 } },
			{ do: 'retry', of: 1, saved: true },
		],
	},
	'an unkeyed request behind the MCP Server Trigger, twice': {
		world: { nodes: [{ kind: 'request' }], agent: true, promisedHours: 24 },
		commands: [{ do: 'mcp' }, { do: 'mcp' }],
	},
};
