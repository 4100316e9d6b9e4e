import { ended } from '../../n8n/executions.mts';
import { noOp } from '../../n8n/nodes.mts';
import { publishChain, startChain } from '../../n8n/workflows.mts';
import { WATCHED } from '../rows.mts';
import type { WorkflowHarness } from '../workflowHarness.mts';
import type { Case } from './case.mts';

/** A row of a workflow that has just run, with a URL that answers 401. */
const watched =
	(differences: object = {}) =>
	async ({ scenario: { n8n }, web }: WorkflowHarness) => {
		const ran = await publishChain(n8n, [noOp('Pass')]);
		await startChain(ran);
		await ended(n8n, ran, 1);
		const row = { name: 'Router', workflow_id: ran.id, hours: 25, url: `${web.url}/webhook/a` };
		return { [WATCHED]: [{ ...row, state: '', ...differences }] };
	};

const CHANGED = String.raw`^\*Watched workflows, new or changed: 1\* .*\nRouter `;

export const WATCH: Case[] = [
	{
		file: 'watch.json',
		situations: {
			'first look': {
				tables: watched(),
				told: [new RegExp(`${CHANGED}runs, latest run 2\\d{3}-.*, URL 401`)],
				rows: { [WATCHED]: [{ state: 'runs' }] },
			},
			back: {
				tables: watched({ state: 'looks stopped 401' }),
				told: [new RegExp(`${CHANGED}runs, latest run 2\\d{3}-.*, URL 401`)],
			},
			'as before': { tables: watched({ state: 'runs' }) },
			'not in time': {
				tables: watched({ hours: 0, url: '', state: 'runs' }),
				told: [new RegExp(`${CHANGED}looks stopped, latest run 2\\d{3}-.*, URL`)],
				rows: { [WATCHED]: [{ state: 'looks stopped ' }] },
			},
			// Whose URL has changed its answer.
			never: {
				tables: watched({ workflow_id: 'never', state: 'looks stopped 404' }),
				told: [new RegExp(`${CHANGED}looks stopped, latest run , URL 401`)],
				rows: { [WATCHED]: [{ state: 'looks stopped 401' }] },
			},
			'an empty row': { tables: watched({ workflow_id: '', hours: null }) },
		},
	},
];
