import type { History } from './history.mts';

/** Found by the model, and shortened, or written after what somebody had found by hand; the number is the hole's in README.md. */
export const HISTORIES: Record<string, History> = {
	'1: own keys with $today, killed, retried on the next day': {
		world: { nodes: [{ key: 'day' }] },
		commands: [{ do: 'start', crash: { at: 2 } }, { do: 'wait', minutes: 900 }, { do: 'retry' }],
	},
	'1: own keys with $execution.id, killed': {
		world: { nodes: [{ key: 'execution' }] },
		commands: [{ do: 'start', crash: { at: 2 } }, { do: 'retry' }],
	},
	'1: own key removed after n8n was killed': {
		world: { nodes: [{ key: 'node' }] },
		commands: [
			{ do: 'start', crash: { at: 2 } },
			{ do: 'edit', change: { key: null } },
			{ do: 'retry', saved: true },
		],
	},
	'1: own key changed after n8n was killed': {
		world: { nodes: [{ key: 'payment' }] },
		commands: [
			{ do: 'start', crash: { at: 2 } },
			{ do: 'edit', change: { keyVersion: 1 } },
			{ do: 'retry', saved: true },
		],
	},
	'1: a retry that was killed, with own keys that hold $execution.id': {
		world: { nodes: [{ key: 'execution' }] },
		commands: [{ do: 'start', breaksAt: 0 }, { do: 'retry', crash: { at: 4 } }, { do: 'retry' }],
	},
	'2: Retry pressed twice at once, in front of own keys with $execution.id': {
		world: { nodes: [{}, { key: 'execution' }] },
		commands: [
			{ do: 'start', breaksAt: 1 },
			{ do: 'retry', twice: true },
		],
	},
	'2: the original retried a second time, without keys': {
		world: { nodes: [{ kind: 'request' }] },
		commands: [
			{ do: 'start', rounds: 2, faults: [{ kind: '404' }] },
			{ do: 'retry', faults: [{ at: 1, kind: '404' }] },
			{ do: 'retry', of: 1 },
		],
	},
	'2: the original retried a second time, with another key': {
		world: { nodes: [{ key: 'node' }] },
		commands: [
			{ do: 'start', noCredential: true },
			{ do: 'retry', noCredential: true },
			{ do: 'retry' },
			{ do: 'edit', change: { keyVersion: 1 } },
			{ do: 'retry', saved: true },
		],
	},
	'3: an open transfer, a day later': {
		world: {},
		commands: [{ do: 'start', faults: [{}] }, { do: 'wait', minutes: 1445 }, { do: 'retry' }],
	},
	'3: own keys, killed, a day later': {
		world: { nodes: [{ key: 'node' }], windowHours: 24 },
		commands: [{ do: 'start', crash: { at: 2 } }, { do: 'wait', minutes: 1440 }, { do: 'retry' }],
	},
	'4: two items sweep one wallet': {
		world: { nodes: [{ kind: 'sweep' }] },
		commands: [{ do: 'start', items: 2, oneWallet: true }],
	},
	'5: values from the clock after an accepted item': {
		world: { nodes: [{ fromClock: true }] },
		commands: [{ do: 'start', items: 2, faults: [{}] }, { do: 'retry' }],
	},
	'5: values from the clock with Retry On Fail': {
		world: { nodes: [{ fromClock: true, tries: 2 }] },
		commands: [{ do: 'start', items: 2, faults: [{}] }],
	},
	'5: Maximum Transfers added after an accepted item': {
		world: {},
		commands: [
			{ do: 'start', items: 2, faults: [{}] },
			{ do: 'edit', change: { maximumTransfers: 1 } },
			{ do: 'retry', saved: true },
		],
	},
	'5: Maximum Amount added after an accepted item': {
		world: {},
		commands: [
			{ do: 'start', items: 3, faults: [{ at: 2 }] },
			{ do: 'edit', change: { maximumAmount: 1 } },
			{ do: 'retry', saved: true },
		],
	},
	'5: the credential cannot be read after an accepted item': {
		world: {},
		commands: [
			{ do: 'start', items: 2, faults: [{ at: 1 }] },
			{ do: 'retry', noCredential: true },
		],
	},
	"5: the credential cannot be read after an agent's transfer": {
		world: { nodes: [{ maximumAmount: 2 }], agent: true },
		commands: [
			{ do: 'start', agentFails: true },
			{ do: 'retry', noCredential: true },
		],
	},
	'5: an amount that was never sent, under Continue On Fail': {
		world: {},
		commands: [
			{ do: 'start', faults: [{ after: true }] },
			{ do: 'edit', change: { valueVersion: 1, continueOnFail: true } },
			{ do: 'retry', saved: true },
		],
	},
	'5 after a crash: Maximum Amount added': {
		world: {},
		commands: [
			{ do: 'start', items: 3, crash: { at: 3 } },
			{ do: 'edit', change: { maximumAmount: 2 } },
			{ do: 'retry', saved: true },
		],
	},
	'5 after a crash: the credential cannot be read': {
		world: {},
		commands: [
			{ do: 'start', crash: { at: 3 } },
			{ do: 'retry', noCredential: true },
		],
	},
	'5 after a crash: own keys, and the first item fails again': {
		world: { nodes: [{ key: 'payment' }] },
		commands: [
			{ do: 'start', items: 3, crash: { at: 4 } },
			{ do: 'retry', faults: [{}] },
		],
	},
	'6: accepted in the sandbox, retried in production': {
		world: {},
		commands: [
			{ do: 'start', items: 2, faults: [{ at: 1 }] },
			{ do: 'credential', target: 1 },
			{ do: 'retry' },
		],
	},
	'6: open in the sandbox, retried in production': {
		world: {},
		commands: [{ do: 'start', faults: [{}] }, { do: 'credential', target: 1 }, { do: 'retry' }],
	},
	'6: open, retried with another API key': {
		world: {},
		commands: [{ do: 'start', faults: [{}] }, { do: 'credential', target: 2 }, { do: 'retry' }],
	},
	"6: an agent's transfer in the sandbox, asked for again in production": {
		world: { nodes: [{ maximumAmount: 2 }], agent: true },
		commands: [{ do: 'start', agentFails: true }, { do: 'credential', target: 1 }, { do: 'retry' }],
	},
	'7: one own key for two rounds': {
		world: { nodes: [{ key: 'round' }] },
		commands: [{ do: 'start', rounds: 2 }],
	},
	'7: one own key for two nodes': {
		world: { nodes: [{ key: 'node' }, { key: 'node', valueVersion: 1 }] },
		commands: [{ do: 'start' }],
	},
	"7: an agent's one key for two transfers at once": {
		world: { nodes: [{ key: 'agent', maximumAmount: 2 }], agent: true },
		commands: [{ do: 'start', calls: [{ amount: 2, key: 1 }, { key: 1 }], together: true }],
	},
	'7: own keys, killed, with values from the clock': {
		world: { nodes: [{ key: 'node', fromClock: true }] },
		commands: [{ do: 'start', crash: { at: 2 } }, { do: 'retry' }],
	},
	'8: a dry run after an open item': {
		world: {},
		commands: [
			{ do: 'start', items: 2, faults: [{}] },
			{ do: 'edit', change: { dryRun: true } },
			{ do: 'retry', saved: true },
		],
	},
	'8: a dry run in the second round': {
		world: {},
		commands: [
			{ do: 'start', rounds: 2, faults: [{ at: 1 }] },
			{ do: 'edit', change: { dryRun: true } },
			{ do: 'retry', saved: true },
		],
	},
	"9: an agent's two keys for equal transfers": {
		world: { nodes: [{ key: 'agent', maximumAmount: 2 }], agent: true },
		commands: [
			{
				do: 'start',
				calls: [
					{ to: 1, amount: 2, key: 1 },
					{ to: 1, amount: 2 },
				],
			},
		],
	},
	'the credential is switched to production in the middle of a batch': {
		world: {},
		commands: [
			{ do: 'start', crash: {} },
			{ do: 'retry', edited: { at: 1, target: 1 } },
		],
	},
	"an agent's tool is replaced by its copy": {
		world: { agent: true, nodes: [{ maximumAmount: 1 }] },
		commands: [
			{ do: 'start', calls: [{}], agentFails: true },
			{ do: 'edit', change: { copied: 1 } },
			{ do: 'retry', saved: true },
		],
	},
	'2: somebody has gone on from the first retry under another key': {
		world: { nodes: [{ key: 'day' }] },
		commands: [
			{ do: 'start', rounds: 2, faults: [{ kind: 'lost' }] },
			{ do: 'retry', faults: [{ at: 1, kind: 'refused' }] },
			{ do: 'edit', change: { keyVersion: 1 } },
			{ do: 'retry', saved: true },
			{ do: 'retry' },
		],
	},
	'7: a plan that was noted, and not begun': {
		world: { agent: true, nodes: [{ key: 'agent', maximumAmount: 2 }] },
		commands: [
			{
				do: 'start',
				calls: [
					{ amount: 1, key: 1 },
					{ amount: 2, key: 1 },
				],
				crash: { at: 7 },
				notes: [{ at: 0, times: 2, after: true }],
			},
			{ do: 'retry' },
		],
	},
	'refused: own keys, killed, and retried when most of the window has passed': {
		world: { nodes: [{ key: 'payment' }], windowHours: 24 },
		commands: [{ do: 'start', crash: { at: 2 } }, { do: 'wait', minutes: 1_370 }, { do: 'retry' }],
	},
	'1: killed in a round after the progress that n8n had stored, without keys': {
		world: { nodes: [{ kind: 'request' }], savesProgress: true },
		commands: [{ do: 'start', rounds: 2, crash: { at: 6, after: true } }, { do: 'retry' }],
	},
	'3: killed after the progress that n8n had stored, and retried when the window is over': {
		world: { savesProgress: true, windowHours: 24 },
		commands: [
			{ do: 'start', rounds: 2, crash: { at: 8, after: true } },
			{ do: 'wait', minutes: 1_500 },
			{ do: 'retry' },
		],
	},
	'1: a sub-workflow, killed and retried itself': {
		world: { nodes: [{ kind: 'request' }], isCalled: true },
		commands: [{ do: 'start', crash: { at: 3, after: true } }, { do: 'retry' }],
	},
	'7: an own key that was not sent, taken for the next round before a crash': {
		world: { nodes: [{ key: 'round', continueOnFail: true }] },
		commands: [
			{ do: 'start', rounds: 2, faults: [{ kind: 'refused' }], crash: { at: 9 } },
			{ do: 'retry' },
		],
	},
	"5: an agent's equal call that a guard refuses, after the credential was switched": {
		world: { agent: true, nodes: [{ onlyInEnvironment: 'sandbox', maximumAmount: 2 }] },
		commands: [
			{ do: 'start', calls: [{ amount: 2 }, { amount: 2 }], edited: { at: 1, target: 1 } },
		],
	},
};
