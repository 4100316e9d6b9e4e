import type { EveryWorkflow } from '../../harness/workflows/everyWorkflow.mts';
import { DEMOS } from './demo.mts';
import { welcome } from './welcome.mts';

const FLOWS = 'card sweep approval confirmations reminders upload status router'.split(' ');
const flows = Object.fromEntries(
	FLOWS.map((id) => [id, { id, url: `http://127.0.0.1:5678/webhook/${id}` }]),
) as unknown as EveryWorkflow;

const lines = welcome('http://127.0.0.1:5678', 'http://127.0.0.1:4010', flows);

describe('welcome', () => {
	it('the text names one next step before the list of workflows', () => {
		const next = lines.filter((line) => line.startsWith('Next:'));
		expect(next).toHaveLength(1);
		expect(lines.indexOf(next[0]!)).toBeLessThan(
			lines.findIndex((line) => line.includes('/workflow/')),
		);
		expect(lines.find((line) => line.includes('npm run simulator'))).toContain(flows.router.url);
	});

	it('the text shows the address of each workflow and of their list', () => {
		const text = lines.join('\n');
		expect(text).toContain('http://127.0.0.1:5678/home/workflows');
		for (const id of FLOWS) expect(text).toContain(`/workflow/${id}`);
		expect(text).toContain(`The other ${DEMOS.length} workflows`);
	});
});
