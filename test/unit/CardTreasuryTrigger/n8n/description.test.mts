import { runInNewContext, Script } from 'node:vm';
import {
	NodeHelpers,
	resolveWebhookDescriptionField,
	webhookDescriptionIsNativelyResolvable,
	type INodeParameters,
} from 'n8n-workflow';

import { readRules } from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import { CardTreasuryTrigger } from '../../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { type WEBHOOKS } from '../../../../nodes/CardTreasuryTrigger/n8n/description.ts';
import { EVENT_NAMES } from '../../../simulator/index.mts';
import { loadWithout } from '../../shared/otherHost.mts';

/** Entries that take a part of an event. */
const PARTS = [
	'cards.warranty_withdraw.failed',
	'company_activity.client_status.rejected',
	'treasury.transfer.failed',
	'virtual_wallets.withdraw.failed',
];
const ENTRY_NAMES = [...EVENT_NAMES, ...PARTS];

const trigger = new CardTreasuryTrigger();
const { description } = trigger;
const webhook = description.webhooks![0]!;

/** Evaluates an expression around a self-contained function as n8n does: nothing but `$parameter` is in reach. */
const evaluate = (expression: unknown, $parameter: INodeParameters): any => {
	const script = /^=\{\{([\s\S]*)\}\}$/.exec(String(expression))![1]!;
	return JSON.parse(JSON.stringify(runInNewContext(script, { $parameter }) ?? null));
};

describe('events', () => {
	it('the list has the saved names of the catalog and other', () => {
		const events = description.properties.find(({ name }) => name === 'events');
		const values = events!.options!.map((option) => 'value' in option && String(option.value));
		expect(values.toSorted()).toEqual([...ENTRY_NAMES, 'other'].toSorted());
	});

	it('each chosen event has one output, in the order chosen', () => {
		const outputs = (events?: string[]) =>
			evaluate(description.outputs, { ...(events && { events }) }).map(
				({ displayName }: any) => displayName,
			);
		expect(outputs(['treasury.transfer', 'other', 'cards.cleared'])).toEqual([
			'Transfer',
			'Other',
			'Cleared',
		]);
		expect(outputs(['cards.cleared', 'other', 'cards.cleared'])).toEqual(['Cleared', 'Other']);
		expect(outputs(['new.event'])).toEqual(['new.event']);
		expect(outputs([])).toEqual([]);
		expect(outputs(undefined)).toEqual([]);
		const all = outputs([...ENTRY_NAMES, 'other']);
		expect(new Set(all).size).toBe(ENTRY_NAMES.length + 1);
		expect(all.filter((label: string) => label.length > 14)).toEqual([]);
	});

	it('each event can be tested, by default the first chosen one', () => {
		const { options, default: initial } = description.properties.find(
			({ name }) => name === 'testEvent',
		)!;
		expect((options as any[]).map(({ value }) => value).toSorted()).toEqual(
			['first', 'real', ...ENTRY_NAMES].toSorted(),
		);
		expect(initial).toBe('first');
	});

	it.each([
		[undefined, ''],
		[['cards.card_blocked_by_velocity'], 'Cards: Card Blocked by Velocity'],
		[['other'], 'Other'],
		[['cards.cleared', 'cards.refund', 'other'], '3 events'],
	])('the subtitle of %j is "%s"', (events, subtitle) => {
		expect(evaluate(description.subtitle, { ...(events && { events }) })).toBe(subtitle);
	});
});

describe('response mode', () => {
	const rule = (decision?: string): INodeParameters => ({
		events: ['cards.cleared', 'cards.authorization'],
		rules: { rule: [{ decision: 'approve' }, { ...(decision !== undefined && { decision }) }] },
	});
	const cases: Array<[INodeParameters, string]> = [
		[{ events: ['cards.authorization'], defaultDecision: 'ask' }, 'responseNode'],
		[{ events: ['cards.authorization'], defaultDecision: 'approve' }, 'onReceived'],
		[{ events: ['cards.authorization'] }, 'onReceived'],
		[rule('ask'), 'responseNode'],
		[rule('decline'), 'onReceived'],
		[rule(), 'onReceived'],
		[{ events: ['cards.authorization'], rules: {} }, 'onReceived'],
		[{ ...rule('ask'), events: ['cards.cleared', 'other'] }, 'onReceived'],
		[{}, 'onReceived'],
	];
	it.each(cases)(
		'the mode of %j is %s, by the template and by the function',
		(parameters, mode) => {
			expect(evaluate(webhook.responseMode, parameters)).toBe(mode);
			expect(resolveWebhookDescriptionField({ parameters }, webhook, 'responseMode')).toEqual({
				resolved: true,
				value: mode,
			});
		},
	);

	it('no field of the webhook needs the expression engine', () => {
		expect(webhookDescriptionIsNativelyResolvable(webhook)).toBe(true);
	});

	describe('hosts without functions in descriptions', () => {
		let older: typeof WEBHOOKS;

		beforeAll(async () => {
			({ WEBHOOKS: older } = await loadWithout(
				['webhookDescriptionFields', 'fromFunction'],
				async () => await import('../../../../nodes/CardTreasuryTrigger/n8n/description.ts'),
			));
		});

		it('the mode is the plain template', () => {
			expect(older[0]!.responseMode).toBe(webhook.responseMode);
			expect(
				resolveWebhookDescriptionField({ parameters: {} }, older[0]!, 'responseMode').resolved,
			).toBe(false);
		});
	});
});

describe('notices', () => {
	const shown = (name: string, parameters: INodeParameters) => {
		const property = description.properties.find((each) => each.name === name)!;
		return NodeHelpers.displayParameter(parameters, property, { typeVersion: 2 }, description);
	};

	const notices = (parameters: INodeParameters) =>
		description.properties
			.filter(({ name, type }) => type === 'notice' && shown(name, parameters))
			.map(({ name }) => name);

	it.each([
		[['cards.cleared', 'treasury.transfer'], ['oneUrlNotice']],
		[['cards.cleared', 'other'], []],
		[['cards.authorization', 'cards.cleared', 'other'], ['lazyAcquireNotice']],
	])('the choice %j shows the notices %j', (events, names) => {
		expect(notices({ events, testEvent: 'real' })).toEqual(names);
	});
});

describe('fields in the editor', () => {
	const edited = JSON.parse(JSON.stringify(description)) as typeof description;
	const all = edited.properties;
	/** Returns the fields that the panel shows. */
	const shown = (events: string[], more: INodeParameters) => {
		const parameters = { events, ...more };
		return all
			.filter(
				(each) =>
					each.type !== 'notice' &&
					NodeHelpers.displayParameter(parameters, each, { typeVersion: 2 }, edited, parameters),
			)
			.map(({ name }) => name);
	};
	const always = ['events', 'testEvent', 'options'];
	const deciding = ['rules', 'defaultDecision', 'deadlineMs', 'fallbackDecision'];

	it.each([
		[['cards.cleared', 'other'], {}, []],
		[['cards.authorization'], {}, deciding],
		[['cards.authorization'], { defaultDecision: 'other' }, [...deciding, 'defaultResponseCode']],
		[['cards.authorization'], { fallbackDecision: 'other' }, [...deciding, 'fallbackResponseCode']],
	])('the choice %j with %j shows %j', (events, more, names) => {
		const given = { defaultDecision: 'ask', fallbackDecision: 'none', ...more };
		expect(shown(events, given).sort()).toEqual([...always, ...names].sort());
	});
});

describe('fields of a rule', () => {
	// As the editor gets it.
	const edited = JSON.parse(JSON.stringify(description)) as typeof description;
	type Property = (typeof description.properties)[number];
	const rules = edited.properties.find(({ name }) => name === 'rules')!;
	const { values } = rules.options![0] as unknown as { values: Property[] };
	const shows = (properties: Property[], name: string, parameters: INodeParameters) =>
		NodeHelpers.displayParameter(
			parameters,
			properties.find((each) => each.name === name)!,
			{ typeVersion: 2 },
			edited,
		);

	it('a rule has conditions, decision, code, name and observe only, in this order', () => {
		expect(values.filter(({ type }) => type !== 'notice').map(({ name }) => name)).toEqual([
			'conditions',
			'decision',
			'responseCode',
			'name',
			'observeOnly',
		]);
		expect(shows(values, 'responseCode', { decision: 'other' })).toBe(true);
		expect(shows(values, 'responseCode', { decision: 'approve' })).toBe(false);
	});

	it('every condition is read by its name', () => {
		const { options } = values.find(({ name }) => name === 'conditions')!;
		for (const { name, displayName } of options as Property[]) {
			const { problems } = readRules([{ conditions: { [name]: '' } }]);
			expect(problems).toEqual([expect.stringContaining(`${displayName} is empty`)]);
		}
	});

	const conditions = { amountFrom: '5', mccCodes: '5942,6010-6012' };
	const rule = { name: 'r', decision: 'other', responseCode: '51', conditions, observeOnly: true };
	const parameters = {
		events: ['cards.authorization'],
		rules: { rule: [rule, { ...rule, conditions: {} }] },
		defaultDecision: 'other',
		defaultResponseCode: '51',
	};
	const filled = (of: typeof description, values: INodeParameters) =>
		NodeHelpers.getNodeParameters(of.properties, values, true, false, { typeVersion: 2 }, of);

	it('n8n returns the rules as entered, and evaluates no condition of a notice', () => {
		const evaluations = jest.spyOn(Script.prototype, 'runInContext');
		expect(filled(description, parameters)).toMatchObject(parameters);
		expect(evaluations).not.toHaveBeenCalled();
		expect(filled(edited, parameters)).toMatchObject(parameters);
	});

	it('every field for a decline code begins with 05, because n8n omits a value that equals the default', () => {
		const codes = [...edited.properties, ...values].filter(({ name }) =>
			/responseCode$/i.test(name),
		);
		expect(codes.map(({ name, default: initial }) => `${name}: ${String(initial)}`)).toEqual([
			'defaultResponseCode: 05',
			'fallbackResponseCode: 05',
			'responseCode: 05',
		]);
	});
});
