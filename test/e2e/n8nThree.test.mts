import lodash from 'lodash';

import { runEveryWorkflow } from '../harness/workflows/runCase.mts';
import { harness, n8n, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import {
	importWorkflow,
	readWorkflow,
	withParameters,
	WORKFLOW_FILES,
} from '../harness/workflows/workflowFiles.mts';

/** Defaults of n8n 3, set explicitly for n8n 2. */
const AS_N8N_3 = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_BLOCKED_IP_RANGES: '127.0.0.0/8,10.0.0.0/8,100.64.0.0/10',
	// Address of the simulator and of the stand-in for Slack.
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
};

/** Findings that n8n reports for every instance installed by npm. */
const NOT_OURS = [
	'compression-node-limits-v3',
	'docker-only-deployment-v3',
	'workflow-import-url-removed-v3',
];

useWorkflows(AS_N8N_3);

describe('n8n with the settings of n8n 3', () => {
	it("n8n's migration report finds nothing in the shipped workflows or the package's setup", async () => {
		const findings = async () => {
			const path = '/rest/breaking-changes/report/refresh?version=v3';
			const { workflowResults, instanceResults } = (await n8n.rest('POST', path, {})).report;
			return [workflowResults, instanceResults].map((found) => lodash.map(found, 'ruleId'));
		};
		for (const file of WORKFLOW_FILES) await importWorkflow(n8n, readWorkflow(file));
		const [ofWorkflows, ofInstance] = await findings();
		expect(ofWorkflows).toEqual([]);
		expect(ofInstance!.filter((rule) => !NOT_OURS.includes(rule))).toEqual([]);
		// Shows that the report checks the workflows.
		const each = withParameters(readWorkflow('event-router.json'), 'KYC status changed', {
			mode: 'each',
		});
		await importWorkflow(n8n, each);
		expect((await findings())[0]).toEqual(['execute-workflow-each-mode-v3']);
	});

	it('each shipped workflow runs to its end', async () => await runEveryWorkflow(harness));

	it('n8n refuses to install the package until it is verified', async () => {
		await expect(
			n8n.rest('POST', '/rest/community-packages', { name: 'n8n-nodes-card-treasury' }),
		).rejects.toThrow('unverified community packages');
	});
});
