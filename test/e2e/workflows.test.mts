import { eventually } from '../harness/n8n/executions.mts';
import { CASES, said } from '../harness/workflows/cases.mts';
import type { Case, Situation } from '../harness/workflows/cases/case.mts';
import { alarm, alarms, breakNode, faultsOf, mendAndRetry } from '../harness/workflows/faults.mts';
import { HAVE_IT } from '../harness/workflows/form.mts';
import {
	checkResult,
	done,
	openCase,
	prepare,
	runSituation,
	told,
	untilEnded,
} from '../harness/workflows/runCase.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';

/** Promises of every shipped workflow in the real n8n, from the cases of `harness/workflows/cases.mts`. */

useWorkflows();

const SITUATIONS = CASES.flatMap((of) =>
	Object.entries(of.situations).map(([name, situation]) => ({
		...{ of, file: of.file, name, situation },
	})),
);
const FAULTS = CASES.flatMap((of) => faultsOf(of.file).map((found) => ({ ...found, of, found })));

/** Situation in which the workflow reaches the node. */
const reaching = ({ situations }: Case, node: string): Situation =>
	Object.values(situations).find(({ nodes }) => nodes?.includes(node)) ??
	Object.values(situations)[0]!;

/** A caller or a client begins again, because n8n does not come back to them after a Retry. */
const beginsAgain = ({ file }: Case, node: string) =>
	['pay-for-an-agent.json', 'pay.json'].includes(file) || node === 'Client of the link';

describe('shipped workflows', () => {
	it.each(SITUATIONS)('$file, $name: what is done and told is right', async ({ of, situation }) => {
		const page = await runSituation(harness, of, situation);
		if (of.file !== 'kyc-upload.json') return;
		expect(page).toContain(situation.page ?? HAVE_IT);
		expect(page).not.toMatch(/Ana|cl-0|pr-0|example\.com|done|Not sent|Rejected/);
	});

	it.each(FAULTS)(
		'$file: $name fails $fault ($kind): nothing is done twice, lost, or told wrongly',
		async ({ of, file, name, kind, text, found }) => {
			const situation = reaching(of, name);
			const { workflow, begin } = await openCase(harness, file);
			await prepare(harness, situation);
			// It makes the same request as a node before the question.
			const isLater = name === 'Card now';
			if (!isLater) breakNode(harness, found);
			const page = begin(situation.event).catch((error: Error) => error);
			if (isLater) {
				await eventually(async () => harness.questions().length > 0);
				breakNode(harness, found);
			}
			const ended = async (count: number) =>
				await untilEnded(harness, workflow, count, situation.press);
			const [first] = await ended(1);
			expect(first!.status).toBe(kind === 'stops' ? 'error' : 'success');
			if (kind === 'stops') {
				// The mail about this one goes to the same server.
				if (name !== 'Email: nobody takes it') await alarm(harness, file, name);
				harness.mend();
				await (beginsAgain(of, name) ? begin(situation.event) : mendAndRetry(harness, workflow));
				await ended(2);
			}
			if (kind !== 'told') return await checkResult(harness, situation, text);
			const texts = () => [...told(harness), ...harness.questions().map((asked) => asked.text)];
			await eventually(async () => texts().join('\n').includes(text));
			expect(alarms(harness)).toEqual([]);
			const { done: wanted = [] } = situation;
			const patterns = (situation.told ?? []).map(said);
			expect([[], wanted]).toContainEqual(done(harness));
			const isDone = done(harness).length > 0;
			// A line about a client is true also if no mail leaves.
			if (file !== 'kyc-follow-up.json')
				expect(patterns.every((each) => texts().some((line) => each.test(line)))).toBe(isDone);
			if (file === 'kyc-upload.json') expect(String(await page).includes(HAVE_IT)).toBe(isDone);
		},
	);
});
