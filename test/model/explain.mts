import type { Call, Command, Fault, Happenings, History, Moment, Setup } from './history.mts';
import { TARGETS } from './ledger.mts';

/** A history in plain words, a line per command. */
export function explain({ world, commands }: History): string[] {
	const { nodes = [{}], agent, windowHours, promisedHours, conflicts, keepsRejections } = world;
	const { savesProgress, isCalled } = world;
	const shown = nodes.length > 0 ? nodes : [{}];
	return [
		`The workflow has ${shown.map((setup, at) => `${agent ? 'tool' : 'node'} ${'AB'[at]}: ${describe(setup)}`).join('; ')}.`,
		`The service remembers keys ${windowHours === undefined ? 'for ever' : `for ${windowHours} h`}${conflicts ? ', answers another request under the same key with 409' : ''}${keepsRejections ? ', keeps rejections' : ''}; the credential promises ${promisedHours ?? Math.min(24, windowHours ?? 24)} h.`,
		...(savesProgress ? ['n8n stores the execution after each node.'] : []),
		...(isCalled ? ['Another execution calls the workflow.'] : []),
		...commands.map((command, at) => `${at + 1}. ${sentence(command, agent === true)}`),
	];
}

function describe(setup: Setup): string {
	const { kind = 'transfer', key, ...others } = setup;
	const settings = Object.entries(others).map(([name, value]) =>
		value === true ? words(name) : `${words(name)} ${value}`,
	);
	return [
		kind,
		key === undefined ? 'no key of its own' : `own key (${KEYS[key]})`,
		...settings,
	].join(', ');
}

const KEYS = {
	payment: 'fixed per item',
	day: 'with $today',
	execution: 'with $execution.id',
	round: 'the same for all rounds',
	node: 'the same for both nodes',
	agent: 'filled in by the agent',
};

function sentence(command: Command, agent: boolean): string {
	switch (command.do) {
		case 'start':
			return `Start an execution${agent ? ` of an agent that asks for ${calls(command.calls ?? [{}])}${command.together ? ', at once' : ''}` : ` with ${command.items ?? 1} item(s)${(command.rounds ?? 1) > 1 ? ` in each of ${command.rounds} rounds` : ''}`}${command.again ? ', the same as before' : ''}${command.oneWallet ? ', all of one wallet' : ''}${command.agentFails ? '; the agent fails then' : ''}${happenings(command)}.`;
		case 'retry':
			return `Retry${command.twice ? ' (pressed twice at once)' : ''} ${command.of ? `the execution number ${command.of} before the newest of those that can be retried` : 'the newest execution that can be retried'}, with the workflow ${command.saved ? 'as it is saved now' : 'as it was'}${command.agentFails ? '; the agent fails then' : ''}${happenings(command)}.`;
		case 'edit':
			return `Change node ${'AB'[command.node ?? 0]}: ${Object.entries(command.change)
				.map(([name, value]) =>
					value === null ? `remove ${words(name)}` : `${words(name)} = ${value}`,
				)
				.join(', ')}.`;
		case 'credential':
			return `Set the credential to ${target(command.target)}.`;
		case 'wait':
			return `${command.minutes ?? 60} minutes pass.`;
		case 'restart':
			return 'n8n is restarted.';
		case 'mcp':
			return `An MCP client asks for ${calls([command.call ?? {}])}${happenings(command)}.`;
	}
}

const calls = (list: Call[]) =>
	list
		.map(
			({ tool = 0, to = 0, amount = 1, key = 0 }) =>
				`tool ${'AB'[tool]} (recipient ${to}, amount ${amount}, key invoice-${key})`,
		)
		.join(', then ');

function happenings(given: Happenings): string {
	const { faults = [], crash, stop, notes = [], noCredential, edited, breaksAt } = given;
	const list = [
		...faults.map(fault),
		...(crash ? [`n8n is killed ${moment(crash)}`] : []),
		...(stop ? [`Stop is pressed ${moment(stop)}`] : []),
		...notes.map(
			({ at = 0, times = 1, after, hangs }) =>
				`n8n's database ${hangs ? 'does not answer' : 'fails'} at ${times} note(s) from number ${at} on, ${after ? 'after' : 'before'} storing`,
		),
		...(noCredential ? ['the credential cannot be read'] : []),
		...(edited
			? [`the credential is set to ${target(edited.target)} at call ${edited.at ?? 0}`]
			: []),
		...(breaksAt === undefined ? [] : [`another node fails before step ${breaksAt}`]),
	];
	return list.length === 0 ? '' : `; ${list.join('; ')}`;
}

const moment = ({ at = 0, after }: Moment) =>
	`${after ? 'after' : 'before'} the effect of call ${at}`;

const fault = ({ at = 0, times = 1, kind = 'lost', after }: Fault) =>
	`${times} request(s) from number ${at} on: ${kind}, ${after ? 'executed' : 'not executed'}`;

const target = (index = 0) => {
	const { host, apiKey } = TARGETS[index % TARGETS.length]!;
	return `${host} with ${apiKey}`;
};

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
