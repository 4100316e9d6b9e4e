import pLimit from 'p-limit';

import { eventually, executions, type TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { emptyTable } from '../harness/workflows/dataTables.mts';
import { waits } from '../harness/workflows/decision.mts';
import { alarm, alarms, breakNode, faultsOf, mendAndRetry } from '../harness/workflows/faults.mts';
import { slipsOf } from '../harness/workflows/slips.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import {
	readWorkflow,
	withParameters,
	withSettings,
	type WorkflowFile,
} from '../harness/workflows/workflowFiles.mts';
import { APPROVER, STRANGER } from '../harness/workflows/workflowHarness.mts';
import { IDS, sampleEvent, type EventEnvelope } from '../simulator/index.mts';

const FILE = 'card-blocked-by-velocity.json';
const NAME = 'Card blocked by velocity';
const CHANNEL = '#card-blocks';
const UNBLOCK = 'Unblock the card';
const LEAVE = 'Leave it blocked';
const AT_ONCE = 5;
const SLIPS_MS = 300_000;
/** Nodes that run only after a person has answered. */
const NO_CARD = 'Tell: no card';
const IF = 'Not approved, or blocked since?';
const AFTER_THE_ANSWER = ['Newest block', UNBLOCK, 'Tell the channel'];

useWorkflows();

let workflow: TriggerWorkflow;
let router: TriggerWorkflow;

const withApprover = (file: WorkflowFile) =>
	withParameters(file, 'Ask in Slack', { approvers: [APPROVER.id] });

beforeAll(async () => {
	workflow = await harness.open(FILE, withApprover);
	router = await harness.openRouter({ [NAME]: workflow });
});

beforeEach(async () => await emptyTable(harness.scenario.n8n, 'Card blocks'));

/** Sends authorizations until the velocity rule blocks the card, and returns the resulting event. */
function block(cardId: string = IDS.activeCard): EventEnvelope {
	for (;;) {
		const { event } = harness.simulator.events.authorize(cardId);
		if (event) return event;
	}
}

let partial = 0;
/** Event of a block that lacks a field. */
function withoutField(field: string): object {
	const event = sampleEvent('cards.card_blocked_by_velocity', {
		data: { card_id: IDS.blockedCard },
	});
	return {
		...event,
		operation_id: `without ${field} ${partial++}`,
		data: { ...event.data, [field]: undefined },
	};
}

const unblocks = () =>
	harness.simulator.ledger.filter(({ operation }) => operation === 'card.unblock').length;
const isBlocked = (cardId: string = IDS.activeCard) => harness.simulator.state.card(cardId).blocked;

const NO_ANSWER = 'empty: nobody answered in time';

/** @param answer empty if nobody answered in time */
const notUnblocked = (answer: string, name = '') =>
	new RegExp(
		`^Not unblocked: .*${IDS.activeCard}.*\nAnswer: ${answer} \\(${NO_ANSWER}\\)\nBy: ${name} \\(`,
		'm',
	);

/** Waits for this many messages in the channel, including questions. */
const messages = async (count: number, within?: number) =>
	await harness.messages(CHANNEL, count, within);

/** Waits for the end of the latest execution and returns its status. */
async function latestStatus(count: number): Promise<string> {
	const rows = await eventually(async () => {
		const found = await executions(harness.scenario.n8n, workflow);
		return (
			found.length >= count && found.every(({ status }) => /success|error/.test(status)) && found
		);
	});
	return rows.at(-1)!.status;
}

/** Answers no in a workflow with a slip, which has a channel, a table and a card of its own. @returns the card */
async function declineWith(slip: string, at: number): Promise<string> {
	const own = `#slip-${at}`;
	const changed = await harness.open(FILE, (file) => {
		const { file: slipped } = slipsOf(withApprover(file)).find(({ title }) => title === slip)!;
		const text = JSON.stringify(slipped)
			.replaceAll('"Card blocks"', `"Card blocks ${at}"`)
			.replaceAll(`"${CHANNEL}"`, `"${own}"`);
		return JSON.parse(text) as WorkflowFile;
	});
	const { records } = harness.simulator.state;
	const card_id = `ca4d0000-0000-4000-8000-9${String(at).padStart(11, '0')}`;
	records.cards.push({ ...harness.simulator.state.card(IDS.blockedCard), id: card_id });
	await harness.send(
		await harness.openRouter({ [NAME]: changed }),
		sampleEvent('cards.card_blocked_by_velocity', { data: { card_id } }),
	);
	const [question] = await harness.messages(own, 1);
	await harness.click(changed, question!, LEAVE);
	await harness.messages(own, 2);
	return card_id;
}

describe('Card blocked by velocity', () => {
	it('asks once with the card, its owner, the rule and the time, and unblocks the card after a click', async () => {
		const event = block();
		await harness.send(router, event);
		await harness.send(router, event);
		const [question] = await messages(1);
		expect(question!.text).toMatch(
			/^\*Unblock this card\?\*\nCard blocked: card .*3 authorizations in 60 seconds/,
		);
		expect(question!.text).toMatch(/^Card: .*4001.*ANA SOUZA/m);
		expect(question!.text).toContain(`Blocked at: ${String(event.data.blocked_at)}`);
		expect(unblocks()).toBe(0);
		await harness.click(workflow, question!, UNBLOCK);
		const [, outcome] = await messages(2);
		expect(outcome!.text).toMatch(new RegExp(`^Sent: .*${IDS.activeCard}`, 'm'));
		expect(outcome!.text).toMatch(
			new RegExp(`^Answer: Unblock the card \\(${NO_ANSWER}\\)\nBy: ${APPROVER.name} `, 'm'),
		);
		expect(outcome!.text).toMatch(/^The card, when it was asked about: .*4001.*ANA SOUZA/m);
		expect([unblocks(), isBlocked()]).toEqual([1, false]);
		expect(harness.slack.messages).toHaveLength(2);
	});

	it('leaves the card blocked if a person declines', async () => {
		await harness.send(router, block());
		const [question] = await messages(1);
		await harness.click(workflow, question!, LEAVE);
		const [, outcome] = await messages(2);
		expect(outcome!.text).toMatch(notUnblocked('Leave it blocked', APPROVER.name));
		expect([unblocks(), isBlocked()]).toEqual([0, true]);
	});

	it('leaves the card blocked if nobody answers in time, and reports it', async () => {
		await harness.send(router, block());
		await messages(1);
		await harness.runOut(workflow);
		const [, outcome] = await messages(2);
		expect(outcome!.text).toMatch(notUnblocked(''));
		expect([unblocks(), isBlocked()]).toEqual([0, true]);
	});

	it.each(['Ask in Slack', IF])('unblocks nothing while "%s" is deactivated', async (name) => {
		const changed = await harness.open(FILE, (file) =>
			withSettings(withApprover(file), name, { disabled: true }),
		);
		await harness.send(await harness.openRouter({ [NAME]: changed }), block());
		const [message] = await messages(1);
		if (message!.buttons.length > 0) await harness.click(changed, message!, UNBLOCK);
		const outcome = (await messages(1 + Number(message!.buttons.length > 0))).at(-1);
		expect(outcome!.text).toContain('Not unblocked: ');
		expect([unblocks(), isBlocked()]).toEqual([0, true]);
	});

	it(
		'leaves the card blocked after a no, whatever is changed at one node behind the answer',
		async () => {
			const slips = slipsOf(withApprover(readWorkflow(FILE)))
				.map(({ title }) => title)
				.filter((title) => [IF, 'Unblock the card'].some((name) => title.startsWith(`"${name}":`)));
			expect(slips).not.toEqual([]);
			const limit = pLimit(AT_ONCE);
			const cards = await Promise.all(
				slips.map(async (slip, at) => await limit(async () => await declineWith(slip, at))),
			);
			const asked = harness.simulator.requests.map(({ path }) => path);
			expect(
				slips.filter((_, at) => asked.some((path) => path.includes(`${cards[at]}/unblock`))),
			).toEqual([]);
			expect(unblocks()).toBe(0);
		},
		SLIPS_MS,
	);

	it('ignores the click of a person who is not an approver, and tells that person', async () => {
		await harness.send(router, block());
		const [question] = await messages(1);
		await harness.press(workflow, question!, UNBLOCK, STRANGER);
		const [notice] = await harness.messages(STRANGER.id, 1);
		expect(notice!.text).toContain('You are not authorized');
		expect([unblocks(), isBlocked()]).toEqual([0, true]);
		await harness.click(workflow, question!, LEAVE);
		await messages(2);
	});

	it.each([
		['the newer event comes last', '2026-02-01'],
		['the older event comes last', '2026-02-02'],
	])(
		'does not let an answer to an old question unblock a newer block when %s',
		async (order, day) => {
			const event = sampleEvent('cards.card_blocked_by_velocity', {
				data: { card_id: IDS.blockedCard },
			});
			const at = (blocked_at: string) => ({ ...event, data: { ...event.data, blocked_at } });
			const events = [at(`${day}T10:00:00.000Z`), at(`${day}T12:00:00.000Z`)];
			if (order.startsWith('the older')) events.reverse();
			await harness.send(router, events[0]!);
			await messages(1);
			await harness.send(router, events[1]!);
			const questions = await messages(2);
			const old = questions.find(({ text }) => text.includes('10:00:00'))!;
			const newest = questions.find(({ text }) => text.includes('12:00:00'))!;
			await eventually(async () => {
				await harness.press(workflow, old, UNBLOCK, APPROVER);
				return harness.slack.messages.filter(({ channel }) => channel === CHANNEL).length > 2;
			});
			const outcome = (await messages(3))[2]!;
			expect(outcome.text).toMatch(
				/^Not unblocked: .* blocked again since, or Unblock the card is off. The newest block: Card blocked: card .*\nAnswer: Unblock the card /m,
			);
			expect(unblocks()).toBe(0);
			await harness.click(workflow, newest, UNBLOCK);
			expect((await messages(4))[3]!.text).toContain('Sent: ');
			expect([unblocks(), isBlocked(IDS.blockedCard)]).toEqual([1, false]);
		},
	);

	it.each(['ACTIVE', 'FROZEN', 'DELETED', 'EXPIRED'] as const)(
		'does not change a card that is %s when the answer arrives',
		async (restingStatus) => {
			await harness.send(router, block());
			const [question] = await messages(1);
			Object.assign(harness.simulator.state.card(IDS.activeCard), {
				blocked: false,
				restingStatus,
			});
			await harness.click(workflow, question!, UNBLOCK);
			const [, outcome] = await messages(2);
			expect(outcome!.text).toMatch(new RegExp(`^Nothing to send: .*${restingStatus}`, 'm'));
			expect(unblocks()).toBe(0);
		},
	);

	it('asks about a card that cannot be read, and reports a failed unblock', async () => {
		const card_id = 'ca4d0000-0000-4000-8000-00000000ffff';
		await harness.send(
			router,
			sampleEvent('cards.card_blocked_by_velocity', { data: { card_id } }),
		);
		const [question] = await messages(1);
		expect(question!.text).toMatch(/^Card: Not read: .*not found/im);
		await harness.click(workflow, question!, UNBLOCK);
		const [, outcome] = await messages(2);
		expect(outcome!.text).toMatch(new RegExp(`^Rejected: .*${card_id}.*not found`, 'im'));
	});

	it('reports a block that names no card, and asks about one that names no rule', async () => {
		await harness.send(router, withoutField('card_id'));
		const [told] = await messages(1);
		expect(told!.buttons).toEqual([]);
		expect(told!.text).toContain('card_id');
		await harness.send(router, withoutField('triggered_rule'));
		const [, question] = await messages(2);
		expect(question!.text).toContain('triggered_rule');
		await harness.click(workflow, question!, LEAVE);
		await messages(3);
	});

	it('asks about 20 blocks that arrive together, nearly in order, in a channel that takes one message a second', async () => {
		const patient = await harness.openPatient(FILE, withApprover);
		const toPatient = await harness.openRouter({ [NAME]: patient });
		const event = sampleEvent('cards.card_blocked_by_velocity');
		const at = (second: number) => `2026-03-01T10:00:${String(second).padStart(2, '0')}.000Z`;
		for (let second = 0; second < 20; second++)
			await harness.send(toPatient, { ...event, data: { ...event.data, blocked_at: at(second) } });
		const asked = (await messages(20, 150_000)).map(({ text }) => /:(\d\d)\.000Z/.exec(text)![1]!);
		expect(new Set(asked).size).toBe(20);
		// The minute begins again once, and a question may be a second late.
		expect(asked.filter((second, i) => i > 0 && second < asked[i - 1]!).length).toBeLessThan(5);
		expect(alarms(harness)).toEqual([]);
	});

	it('a question asked before n8n was killed still unblocks the card when it is answered afterwards', async () => {
		await harness.send(router, block());
		const [question] = await messages(1);
		await waits(harness.scenario.n8n, workflow);
		await harness.scenario.kill();
		await harness.click(workflow, question!, UNBLOCK);
		await messages(2);
		expect([unblocks(), isBlocked()]).toEqual([1, false]);
	});
});

describe('failing node of Card blocked by velocity', () => {
	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): the card is asked about once and unblocked at most once',
		async ({ name, fault, node, kind, text }) => {
			const before = (await executions(harness.scenario.n8n, workflow)).length;
			if (name === NO_CARD) {
				breakNode(harness, node, fault);
				await harness.send(router, withoutField('card_id'));
				if (kind === 'stops') {
					await alarm(harness, FILE, name);
					await mendAndRetry(harness, workflow);
				}
				await messages(1);
				await latestStatus(before + 1);
				expect([harness.questions().length, harness.told(CHANNEL).length]).toEqual([0, 1]);
				return;
			}
			const answer = async () => {
				const question = await eventually(async () => harness.questions()[0]);
				await harness.click(workflow, question, UNBLOCK);
			};
			const asksFirst = AFTER_THE_ANSWER.includes(name);
			breakNode(harness, node, fault);
			await harness.send(router, block());
			if (asksFirst) {
				await messages(1);
				await answer();
			}
			if (kind === 'stops') {
				await alarm(harness, FILE, name);
				expect(harness.told(CHANNEL)).toEqual([]);
				expect(harness.questions()).toHaveLength(asksFirst ? 1 : 0);
				await mendAndRetry(harness, workflow);
			}
			if (!asksFirst) await answer();
			const [told] = await eventually(async () => {
				const found = harness.told(CHANNEL);
				return found.length > 0 && found;
			});
			await latestStatus(before + 1);
			expect([harness.questions().length, harness.told(CHANNEL).length]).toEqual([1, 1]);
			const refused = name === 'Unblock the card';
			expect([unblocks(), isBlocked()]).toEqual(refused ? [0, true] : [1, false]);
			expect(told).toContain(refused ? 'Rejected: ' : 'Sent: ');
			expect([harness.questions()[0]!.text, told].join('\n')).toContain(text);
			expect(alarms(harness)).toHaveLength(kind === 'stops' ? 1 : 0);
		},
	);

	it('Email operations fails once: the failure is still reported', async () => {
		const { node } = faultsOf(FILE).find(({ name }) => name === 'Ask in Slack')!;
		breakNode(harness, node, 'always');
		let left = 1;
		harness.smtp.refuse = () => left-- > 0;
		await harness.send(router, block());
		await alarm(harness, FILE, 'Ask in Slack');
		expect(isBlocked()).toBe(true);
	});
});
