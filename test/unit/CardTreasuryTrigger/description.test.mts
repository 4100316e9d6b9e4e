import { Script, runInNewContext } from 'node:vm';
import {
	NodeHelpers,
	resolveWebhookDescriptionField,
	webhookDescriptionIsNativelyResolvable,
	type IHookFunctions,
	type INode,
	type INodeParameters,
} from 'n8n-workflow';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { readRules } from '../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import { isResponseCode } from '../../../nodes/service/authorizationAnswer.ts';
import { EVENT_NAMES } from '../../simulator/index.mts';

const trigger = new CardTreasuryTrigger();
const { description } = trigger;
const webhook = description.webhooks![0]!;

/** Evaluates an expression around a self-contained function as n8n does: nothing but `$parameter` is in reach. */
const evaluate = (expression: unknown, $parameter: INodeParameters): any => {
	const script = /^=\{\{([\s\S]*)\}\}$/.exec(String(expression))![1]!;
	return JSON.parse(JSON.stringify(runInNewContext(script, { $parameter }) ?? null));
};

describe('events', () => {
	it('are those of the catalog and other, as workflows save them', () => {
		const events = description.properties.find(({ name }) => name === 'events');
		expect(events!.options!.map((option) => 'value' in option && option.value)).toEqual([
			...EVENT_NAMES,
			'other',
		]);
	});

	it('have one output each, in the order chosen, named as the event', () => {
		const outputs = (events?: string[]) =>
			evaluate(description.outputs, { ...(events && { events }) }).map(
				({ displayName }: any) => displayName,
			);
		expect(outputs(['treasury.transfer', 'other', 'cards.cleared'])).toEqual([
			'treasury.transfer',
			'other',
			'cards.cleared',
		]);
		expect(outputs(['cards.cleared', 'other', 'cards.cleared'])).toEqual([
			'cards.cleared',
			'other',
		]);
		expect(outputs([])).toEqual([]);
		expect(outputs(undefined)).toEqual([]);
	});
});

describe('the response mode', () => {
	const cases: Array<[INodeParameters, string]> = [
		[{ events: ['cards.authorization'], authorizationDecision: 'workflow' }, 'responseNode'],
		[
			{ events: ['cards.cleared', 'cards.authorization'], authorizationDecision: 'workflow' },
			'responseNode',
		],
		[{ events: ['cards.authorization'], authorizationDecision: 'rules' }, 'onReceived'],
		[{ events: ['cards.authorization'] }, 'onReceived'],
		[{ events: ['cards.cleared', 'other'], authorizationDecision: 'workflow' }, 'onReceived'],
		[{}, 'onReceived'],
	];
	it.each(cases)('of %j is %s, by the template and by the function', (parameters, mode) => {
		expect(evaluate(webhook.responseMode, parameters)).toBe(mode);
		expect(resolveWebhookDescriptionField({ parameters }, webhook, 'responseMode')).toEqual({
			resolved: true,
			value: mode,
		});
	});

	it('needs no expression engine, nor does any other field', () => {
		expect(webhookDescriptionIsNativelyResolvable(webhook)).toBe(true);
	});

	it('is the plain template on hosts that do not know the functions', async () => {
		jest.resetModules();
		jest.doMock('n8n-workflow', () => {
			const {
				webhookDescriptionFields: _,
				fromFunction: __,
				...older
			} = jest.requireActual('n8n-workflow');
			return older;
		});
		const { WEBHOOKS } = await import('../../../nodes/CardTreasuryTrigger/panel/webhooks.ts');
		jest.dontMock('n8n-workflow');
		expect(WEBHOOKS[0]!.responseMode).toBe(webhook.responseMode);
		expect(
			resolveWebhookDescriptionField({ parameters: {} }, WEBHOOKS[0]!, 'responseMode').resolved,
		).toBe(false);
	});
});

describe('notices', () => {
	const shown = (name: string, parameters: INodeParameters) => {
		const property = description.properties.find((each) => each.name === name)!;
		return NodeHelpers.displayParameter(parameters, property, { typeVersion: 2 }, description);
	};

	it.each([
		[['cards.cleared'], true],
		[[...EVENT_NAMES].filter((name) => !name.endsWith('velocity')), true],
		[['cards.cleared', 'cards.card_blocked_by_velocity'], false],
		[['cards.cleared', 'other'], false],
		[[...EVENT_NAMES], false],
		[[], false],
	])('%j leaves out card_blocked_by_velocity: %s (§6.5)', (events, expected) => {
		expect(shown('blockedByVelocityNotice', { events })).toBe(expected);
	});

	it('workflow mode asks for a respond operation', () => {
		const events = ['cards.authorization'];
		expect(shown('respondNotice', { events, authorizationDecision: 'workflow' })).toBe(true);
		expect(shown('respondNotice', { events, authorizationDecision: 'rules' })).toBe(false);
		expect(
			shown('respondNotice', { events: ['cards.cleared'], authorizationDecision: 'workflow' }),
		).toBe(false);
	});
});

describe('while a rule is written', () => {
	// As the editor gets it.
	const description = JSON.parse(JSON.stringify(trigger.description)) as typeof trigger.description;
	type Values = Array<(typeof description.properties)[number]>;
	const rules = description.properties.find(({ name }) => name === 'rules')!;
	const values = (rules.options![0] as unknown as { values: Values }).values;
	/** Whether a notice warns of the field, in the collection `rules` or beside it. */
	const warns = (field: string, text: string, properties: Values, more: INodeParameters = {}) => {
		const notice = properties.find(({ name }) => name === `${field}Notice`)!;
		return NodeHelpers.displayParameter(
			{ ...more, [field]: text },
			notice,
			{ typeVersion: 2 },
			description,
		);
	};
	const TEXTS = [
		'',
		' ',
		'5',
		' 5 ',
		'-5.10',
		'0.30000000000000000000',
		'5.',
		'.5',
		'1,000',
		'1e3',
		'5 EUR',
		'0x10',
		'NaN',
		'٥',
		'5\n6',
		'5942',
		'5942,6010-6012',
		' 5942 , 6010 - 6012 ,, ',
		',',
		',5942',
		'59',
		'5942;6010',
		'5942 6010',
		'6010-',
		'6010-6012-6014',
		'00',
		'SUCCESS',
		'ABCDEFGHIJK',
		'0 0',
		'05!',
		'<b>',
	];
	const labels = {
		amountFrom: 'Amount From',
		amountTo: 'Amount To',
		mccCodes: 'MCC Codes',
		responseCode: 'Response Code',
	};

	it.each(Object.entries(labels))(
		'the editor warns of %s exactly when it could not be read',
		(field, label) => {
			for (const text of TEXTS) {
				const { problems } = readRules({ rule: [{ responseCode: '00', [field]: text }] });
				expect([text, warns(field, text, values)]).toEqual([
					text,
					problems.some((problem) => problem.includes(label)),
				]);
			}
			expect(warns(field, '={{ $vars.limit }}', values)).toBe(false);
		},
	);

	it('nothing of that is evaluated by n8n itself, which reads the parameters at every delivery', () => {
		const rule = {
			responseCode: '00',
			amountFrom: '5',
			amountTo: '1e3',
			mccCodes: '5942,6010-6012',
		};
		const parameters = {
			events: ['cards.authorization'],
			rules: { rule: [rule, rule] },
			defaultResponseCode: '05',
		};
		const evaluations = jest.spyOn(Script.prototype, 'runInContext');
		const read = (of: typeof description) =>
			NodeHelpers.getNodeParameters(of.properties, parameters, true, false, { typeVersion: 2 }, of);
		read(description);
		expect(evaluations).toHaveBeenCalled();
		evaluations.mockClear();
		const filled = read(trigger.description);
		expect(evaluations).not.toHaveBeenCalled();
		expect(filled).toMatchObject(parameters);
	});

	it('what is not given is filled in and warned of no more than what is', () => {
		const parameters = { events: ['cards.authorization'], rules: { rule: [{}] } };
		const filled = NodeHelpers.getNodeParameters(
			description.properties,
			parameters,
			true,
			false,
			{ typeVersion: 2 },
			description,
		);
		const [rule] = (filled!.rules as { rule: INodeParameters[] }).rule;
		expect(Object.keys(rule!).filter((name) => name.endsWith('Notice'))).toEqual([]);
	});

	it.each([
		['defaultResponseCode', 'rules', true],
		['fallbackResponseCode', 'workflow', false],
	])('and of %s', (field, authorizationDecision, warnsOfEmpty) => {
		const chosen = { events: ['cards.authorization'], authorizationDecision };
		for (const text of TEXTS) {
			const expected = text.trim() === '' ? warnsOfEmpty : !isResponseCode(text.trim());
			expect([text, warns(field, text, description.properties, chosen)]).toEqual([text, expected]);
		}
	});
});

describe('activation', () => {
	const node = {
		name: 'Card Treasury Trigger',
		type: 'x',
		typeVersion: 2,
		parameters: {},
	} as INode;
	const activate = async (
		parameters: INodeParameters,
		credential = { webhookKey: 'test-webhook-key' },
	) =>
		await trigger.webhookMethods.default.create.call({
			getNode: () => node,
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getCredentials: async () => credential,
		} as unknown as IHookFunctions);
	const events = ['cards.authorization'];

	it.each([
		[{ events: ['cards.cleared'] }],
		[{ events }],
		[{ events, rules: { rule: [{ amountTo: '5', responseCode: '00' }] } }],
		[{ events, authorizationDecision: 'workflow', deadlineMs: 800, fallbackResponseCode: '' }],
		[{ events: ['cards.cleared'], rules: { rule: [{ amountTo: 'hidden' }] } }],
	])('accepts %j', async (parameters) => {
		await expect(activate(parameters)).resolves.toBe(true);
	});

	it.each([
		[
			{ events, rules: { rule: [{ name: 'small', amountTo: '5 €', responseCode: '00' }] } },
			/small.*Amount To/,
		],
		[{}, /Events/],
		[{ events: [] }, /Events/],
		[{ events, defaultResponseCode: '' }, /Default Response Code/],
		[{ events, authorizationDecision: 'workflow', deadlineMs: 1_200 }, /Deadline/],
		[{ events, authorizationDecision: 'workflow', deadlineMs: 0 }, /Deadline/],
		[
			{ events, authorizationDecision: 'workflow', fallbackResponseCode: 'no answer' },
			/Fallback Response Code/,
		],
	])('refuses %j, naming the field', async (parameters, message) => {
		await expect(activate(parameters)).rejects.toThrow(message);
	});

	it.each(['', '  '])('refuses a credential whose webhook key is "%s"', async (webhookKey) => {
		await expect(activate({ events: ['cards.cleared'] }, { webhookKey })).rejects.toThrow(
			'The credential has no Webhook Key',
		);
	});
});
