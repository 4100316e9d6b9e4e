import { randomUUID } from 'node:crypto';
import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type INode,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { processClock } from '../../shared/clock';
import {
	acceptedWebhookKeys,
	CREDENTIAL_TYPE,
	readCredential,
	type CardTreasuryCredential,
} from '../../shared/credential';
import { failClosed, field, readFields } from '../../shared/fields/field';
import { InvalidFieldError, orInvalid, sentencesOf } from '../../shared/fields/invalidField';
import { isEmpty, sourceFrom } from '../../shared/fields/source';
import { readBaseUrl } from '../../shared/fields/text';
import { unsupportedEngine, unsupportedHost } from '../../shared/host';
import { isObject } from '../../shared/isObject';
import {
	chosenEvents,
	ENTRIES,
	ENTRIES_BY_NAME,
	EVENT_STATUSES,
	eventName,
	OTHER,
	route,
	SAMPLE_ID,
	sampleOf,
	STATUS_IN_WORDS,
	type Entry,
} from '../events';
import { readDecisionSettings, readDeliverySettings, type ReadParameter } from '../settings';

const NO_KEY =
	'The credential has no Webhook Key, so every delivery would be rejected. Enter the webhook key that is set at the service in the Card Treasury API credential.';

/** Event of the sample if the user chose only *Other*. */
const ANY_EVENT = 'cards.authorized';

/**
 * Delay in milliseconds before the sample is sent. n8n 2.41 listens on the test URL only after the hook `create` has
 * returned.
 */
const LISTENS_AFTER_MS = 300;

const TIMEOUT_MS = 30_000;

/** Fields that only a test run uses. */
export const TEST = {
	/** Entry whose sample is sent. Undefined to wait for a real event. */
	testEvent: failClosed(
		{ strictest: undefined },
		field(
			'Test With',
			{
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Sample of the First Event', value: 'first' },
					{
						name: 'Wait for a Real Event',
						value: 'real',
						description: 'Copy the test URL under Webhook URLs first, then click Execute Step',
					},
					...ENTRIES.map(({ label, name }) => ({ name: label, value: name })),
				],
				default: 'first',
				description:
					'Event that Execute Step runs with: a sample, which starts at once, or a real event. Has no effect once the workflow is published.',
			},
			({ value, source, refuse }): Entry | undefined => {
				if (value === 'real') return undefined;
				const events = chosenEvents(source.get('events'));
				const first = events.find((name) => name !== OTHER) ?? ANY_EVENT;
				const name = value === 'first' ? first : String(value);
				const entry = ENTRIES_BY_NAME.get(name);
				return entry !== undefined && route(events, sampleOf(entry, '', new Date(0))) !== undefined
					? entry
					: refuse(`is ${labelOf(name)}, but ${onlyHas(events)}`, 'Change Test With.');
			},
		),
	),
	/** Entry of *Options*. Status of the sample. Undefined for the usual one. */
	sampleStatus: failClosed(
		{ strictest: undefined, absent: undefined },
		field(
			'Sample Status',
			{
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'As Usual', value: '' },
					...[...STATUS_IN_WORDS].map(([value, name]) => ({ name, value })),
				],
				default: '',
				description:
					'Status of the sample of Test With, for example to try a failure. Has no effect once the workflow is published.',
			},
			({ value, refuse }): string | undefined => {
				if (isEmpty(value)) return undefined;
				return (
					EVENT_STATUSES.find((status) => status === value) ??
					refuse('is not in the list', 'Choose from the list.')
				);
			},
		),
	),
	/** Entry of *Options*. JSON to merge into the data of the sample. */
	sampleChanges: failClosed(
		{ strictest: {} },
		field(
			'Sample Changes',
			{
				type: 'json',
				default: '{}',
				description:
					'JSON to merge into the data of the sample of Test With, for example to try rules: {"bill_amount": "20.00", "merchant_data": {"mcc_code": "7995"}}. Has no effect once the workflow is published.',
			},
			({ value, refuse }) => {
				const changes = parsed(value ?? {});
				return isObject(changes)
					? changes
					: refuse(
							'is not a JSON object',
							'Enter the fields of data to change, for example {"bill_amount": "20.00"}.',
						);
			},
		),
	),
};

/** Warning for a failed publish: n8n 2.41 removes the old webhook before it activates the trigger. */
const DOWN = 'Until this workflow is published, its webhook URL answers 404.';

/**
 * Checks the settings when the workflow is published or waits for a test event. Otherwise the first delivery would show
 * the mistake. Registers nothing, because the user enters the webhook URL at the service (§4.14).
 * @throws NodeOperationError that tells what to change
 */
export async function activate(n8n: IHookFunctions): Promise<boolean> {
	const isTest = n8n.getMode() === 'manual';
	const checked = await check(n8n, isTest).catch(
		(thrown: unknown): Checked => ({
			problem: thrown instanceof Error ? thrown.message : String(thrown),
		}),
	);
	if (checked.problem !== undefined) {
		// n8n shows only the message of a failed publish, so the message must contain everything.
		const message = isTest ? checked.problem : `${checked.problem.replace(/\.?$/, '.')} ${DOWN}`;
		throw new NodeOperationError(n8n.getNode(), message);
	}
	const { sample, testUrl, webhookKey } = checked;
	if (sample !== undefined) void sendSample(n8n, testUrl, sample, webhookKey);
	return true;
}

type Checked =
	| { problem: string }
	| {
			problem?: undefined;
			/** Sample to send. Undefined for no test run, or to wait for a real event. */
			sample: Sample | undefined;
			testUrl: string;
			webhookKey: string;
	  };

/** Checks the settings. Returns the first problem, or the data for a test run. */
async function check(n8n: IHookFunctions, isTest: boolean): Promise<Checked> {
	const credential = readCredential(await n8n.getCredentials(CREDENTIAL_TYPE));
	const [webhookKey = ''] = acceptedWebhookKeys(credential);
	const read: ReadParameter = (name, fallback) => n8n.getNodeParameter(name, fallback);
	const settings = readDeliverySettings(read);
	const { sample, problems } = isTest ? readTest(read, settings.events) : NO_TEST;
	const testUrl = n8n.getNodeWebhookUrl('default') ?? '';
	const [problem] = [
		// The version comes first, because an older n8n lacks these settings.
		unsupportedHost() ?? whyNoExecution(n8n),
		webhookKey === '' ? NO_KEY : undefined,
		...unprintable(credential),
		...settings.problems,
		...readDecisionSettings(read).problems,
		...problems,
		sample && unsafeUrl(testUrl),
	].filter((each) => each !== undefined);
	return problem === undefined ? { sample, testUrl, webhookKey } : { problem };
}

/**
 * Returns the problems of keys that are not printable ASCII. A header cannot carry other characters, so no delivery
 * would match.
 */
function unprintable({ webhookKey, previousWebhookKey }: CardTreasuryCredential): string[] {
	const keys = { 'Webhook Key': webhookKey, 'Previous Webhook Key': previousWebhookKey };
	return Object.entries(keys).flatMap(([label, key]) => {
		const position = key.trim().search(/[^ -~]/);
		return position < 0
			? []
			: [
					`Character ${position + 1} of the ${label} in the credential is not printable ASCII, so no delivery would match it. Copy the key again from the service.`,
				];
	});
}

/**
 * Returns the reason why an execution of this workflow would lose its event or run the wrong branch. Undefined if there
 * is none.
 */
export function whyNoExecution(
	n8n: Pick<IWebhookFunctions, 'getNode' | 'getWorkflowSettings'>,
): string | undefined {
	return unsupportedEngine(n8n.getWorkflowSettings()) ?? forbiddenSetting(n8n.getNode());
}

/** Returns the problem of a node setting with which n8n 2.41 loses events or runs the wrong branch. */
function forbiddenSetting({ retryOnFail, alwaysOutputData, onError, continueOnFail }: INode) {
	const refuse = (setting: string, fix: string) =>
		`In the Settings tab of this trigger, ${setting}, so n8n would lose events or run the wrong branch. ${fix}, and publish the workflow.`;
	if (retryOnFail) return refuse('Retry On Fail is on', 'Turn it off');
	if (alwaysOutputData) return refuse('Always Output Data is on', 'Turn it off');
	const continues = continueOnFail === true || (onError ?? 'stopWorkflow') !== 'stopWorkflow';
	return continues ? refuse('On Error is not Stop Workflow', 'Choose Stop Workflow') : undefined;
}

interface Sample {
	/** Trace ID, and the `operation_id` of most events. */
	id: string;
	envelope: ReturnType<typeof sampleOf>;
}

function readTest(
	read: ReadParameter,
	events: readonly string[],
): { sample: Sample | undefined; problems: string[] } {
	const options = read('options', {});
	const given = {
		...(isObject(options) ? options : {}),
		testEvent: read('testEvent', 'first'),
		events,
	};
	const problems: string[] = [];
	const { testEvent, sampleStatus, sampleChanges } = readFields(
		TEST,
		sourceFrom(given, undefined, {}),
		(problem) => problems.push(sentencesOf(problem)),
	);
	if (testEvent === undefined) return { sample: undefined, problems };
	const id = `${SAMPLE_ID}${randomUUID()}`;
	const usual = sampleOf(testEvent, id, new Date(), sampleStatus);
	const envelope = { ...usual, data: merged(usual.data, sampleChanges) as object };
	if (route(events, envelope) === undefined)
		problems.push(
			`The sample, with its status "${envelope.status}", is not one of the chosen events: ${onlyHas(events)}. Change Sample Status or Sample Changes.`,
		);
	return { sample: { id, envelope }, problems };
}

const NO_TEST = { sample: undefined, problems: [] };

const labelOf = (name: string) => ENTRIES_BY_NAME.get(name)?.label ?? name;

const onlyHas = (events: readonly string[]) => `Events has only ${events.map(labelOf).join(', ')}`;

function parsed(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return value.trim() === '' ? {} : JSON.parse(value);
	} catch {
		return undefined;
	}
}

/**
 * Returns the reason why a sample must not be sent to the URL. A sample carries the webhook key. Undefined if the URL
 * is safe.
 */
function unsafeUrl(url: string): string | undefined {
	return !(orInvalid(() => readBaseUrl(url)) instanceof InvalidFieldError)
		? undefined
		: 'The sample carries the webhook key, so it is sent only to a test URL that starts with https://, or is on this machine. Set WEBHOOK_URL of this n8n to its https address, or set Test With to Wait for a Real Event.';
}

/** Sends a sample to the test URL, so that *Execute step* need not wait for a real event. Never throws. */
async function sendSample(
	n8n: IHookFunctions,
	url: string,
	{ id, envelope }: Sample,
	webhookKey: string,
): Promise<void> {
	const unsent = (why: string) =>
		n8n.logger.warn(
			`${n8n.getNode().name}: the sample of ${eventName(envelope)} did not reach the test URL: ${why}. Still waiting for a real event.`,
		);
	try {
		await processClock.wait(LISTENS_AFTER_MS);
		const { statusCode } = await n8n.helpers.httpRequest({
			method: 'POST',
			url,
			headers: {
				'X-Webhook-Key': webhookKey,
				'X-Request-Timestamp': String(Date.now()),
				'X-Trace-Id': id,
			},
			body: envelope as IDataObject,
			json: true,
			timeout: TIMEOUT_MS,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
		});
		if (statusCode === 403) unsent("this n8n's own address is not in IP Allowlist");
		else if (statusCode !== 200) unsent(`it was answered with HTTP ${statusCode}`);
	} catch (thrown) {
		unsent(String(thrown));
	}
}

/** Merges objects field by field. Any other change replaces the value. */
function merged(value: unknown, changes: unknown): unknown {
	if (!isObject(changes) || !isObject(value)) return changes;
	const fields = Object.entries(changes).map(([name, change]) => [
		name,
		merged(value[name], change),
	]);
	return { ...value, ...(Object.fromEntries(fields) as object) };
}
