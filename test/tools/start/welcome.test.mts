import { readWorkflow } from '../../harness/workflows/workflowFiles.mts';
import { DEMOS } from './demo.mts';
import { welcome } from './welcome.mts';
import type { BroughtUp } from './workflows.mts';

const flow = (id: string) => ({ id, url: `http://127.0.0.1:5678/webhook/${id}` });
const flows = {
	velocity: flow('velocity'),
	kyc: flow('kyc'),
	sweep: flow('sweep'),
	router: flow('router'),
} as BroughtUp;

const lines = welcome('http://127.0.0.1:5678', 'http://127.0.0.1:4010', flows);

it('says where the list of workflows is, and where each of them', () => {
	const text = lines.join('\n');
	expect(text).toContain('http://127.0.0.1:5678/home/workflows');
	for (const id of Object.keys(flows)) expect(text).toContain(`/workflow/${id}`);
});

it('says what every workflow in the list is for', () => {
	expect(lines.join('\n')).toContain(`The other ${DEMOS.length} workflows there are one for each`);
});

it.each([
	['Scheduled treasury sweep', 'treasury-sweep.json'],
	['KYC follow-up', 'kyc-follow-up.json'],
])('names the trigger by which %s is run', (name, file) => {
	const told = lines.find((line) => line.startsWith(`${name}: click`));
	const trigger = /"from (.+)"/.exec(told ?? '')?.[1];
	expect(readWorkflow(file).nodes.map((node) => node.name)).toContain(trigger);
});
