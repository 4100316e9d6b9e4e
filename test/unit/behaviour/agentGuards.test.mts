import {
	errorOf,
	RECIPIENT,
	refused,
	SWEEP,
	TRANSFER,
	withOptions,
} from '../CardTreasury/operations/guarded.mts';
import { workOf, type Item } from '../CardTreasury/operations/reading.mts';

const RAMP = { rampTransferId: 'r', amount: '10' };

describe('call by an AI agent', () => {
	it('needs a Maximum Amount in rampTransfer: updateAmount', async () => {
		expect(await errorOf('rampTransfer: updateAmount', { parameters: RAMP, isTool: true })).toEqual(
			[
				'Maximum Amount is not set, and an AI agent is using this node',
				'Set Maximum Amount in the options of the tool, as a fixed value.',
			],
		);
		const parameters = { ...RAMP, options: { maximumAmount: '10' } };
		await expect(
			workOf('rampTransfer: updateAmount', { parameters, isTool: true }),
		).resolves.toBeDefined();
	});

	it.each(['={{ $fromAI("m") }}', '={{ $json.limit }}', '{{ $json.limit }}'])(
		"refuses a transfer's Maximum Amount that is %s",
		async (maximumAmount) => {
			const raw = { ...TRANSFER, maximumAmount };
			expect((await refused({ parameters: TRANSFER, raw, isTool: true }))[0]).toMatch(
				/^Maximum Amount is (?:filled in by the AI agent|an expression in a tool)$/,
			);
		},
	);

	it.each([
		['maximumTotal', 'Maximum Total', '10'],
		['maximumTransfers', 'Maximum Transfers', 1],
		['allowedRecipients', 'Allowed Recipients', RECIPIENT],
		['onlyInEnvironment', 'Only in Environment', 'sandbox'],
		['allowMissingChecksum', 'Allow Missing Checksum', false],
		['sweepMinimum', 'Sweep Minimum', '1'],
		['sweepMaximum', 'Sweep Maximum', '10'],
	])('refuses %s from the agent', async (name, label, value) => {
		const parameters = { ...SWEEP, options: { [name]: value } };
		const agents = '={{ $fromAI("limit") }}';
		const message = [
			`${label} is filled in by the AI agent`,
			'Enter it yourself, as a fixed value: an agent must not set its own limits.',
		];
		const raw = { ...SWEEP, options: { [name]: agents } };
		expect(await refused({ parameters, raw, isTool: true })).toEqual(message);
		expect(await refused({ parameters, raw })).toEqual(message);
	});

	it('refuses a guard as an expression, whose input an agent can provide', async () => {
		const parameters = { ...SWEEP, options: { maximumTotal: '900' } };
		const raw = { ...SWEEP, options: { maximumTotal: '={{ $json.limit }}' } };
		expect(await refused({ parameters, raw, isTool: true })).toEqual([
			'Maximum Total is an expression in a tool',
			'Enter it yourself, as a fixed value: an agent must not set its own limits.',
		]);
		await expect(workOf('wallet: transfer', { parameters, raw })).resolves.toBeDefined();
		// n8n removes the = where a field takes no expression.
		const stripped = { ...SWEEP, options: { maximumTotal: '{{ $json.limit }}' } };
		expect((await refused({ parameters, raw: stripped, isTool: true }))[0]).toBe(
			'Maximum Total is an expression in a tool',
		);
	});

	it('refuses all options from the agent, even without a guard', async () => {
		const item = {
			parameters: { ...TRANSFER, options: {} },
			raw: { ...TRANSFER, options: '={{ $fromAI("o") }}' },
		};
		expect((await refused(item))[0]).toBe('Maximum Total is filled in by the AI agent');
	});

	it.each(['={{ $fromAI("to") }}', '={{ $json.to }}', '=0x0', undefined])(
		'requires Allowed Recipients for a recipient that is %j',
		async (to) => {
			const raw = { ...TRANSFER, to };
			const unlisted = withOptions({}, { raw });
			expect(await refused({ ...unlisted, isTool: true })).toEqual([
				'Allowed Recipients is not set, and an AI agent can fill in the Recipient Address',
				'Set Allowed Recipients in the options of the tool, as a fixed value, or enter the Recipient Address yourself.',
			]);
			await expect(workOf('wallet: transfer', unlisted)).resolves.toBeDefined();
			const options = { allowedRecipients: RECIPIENT };
			const listed = withOptions(options, { raw: { ...raw, options }, isTool: true });
			await expect(workOf('wallet: transfer', listed)).resolves.toBeDefined();
			const agents = { ...raw, options: { ...options, allowedRecipients: '={{ $fromAI("a") }}' } };
			expect((await refused({ ...listed, raw: agents }))[0]).toBe(
				'Allowed Recipients is filled in by the AI agent',
			);
		},
	);

	it('accepts the payment reference and the dry run from the agent', async () => {
		const raw = {
			...TRANSFER,
			paymentReference: '={{ $fromAI("reference") }}',
			options: { dryRun: '={{ $fromAI("d") }}' },
		};
		const item = withOptions({ dryRun: true }, { raw, isTool: true });
		const work = await workOf('wallet: transfer', item);
		expect(work).toMatchObject({ payment: { reference: 'INV-1' }, dryRun: true });
	});
});

describe("run by n8n's AI assistant, which writes all parameters", () => {
	const assistant = { isTool: true, isAssistant: true };
	const fix =
		"Put this node into a workflow, with limits that a person enters, and run that: n8n's AI assistant must not set its own.";

	it('refuses a transfer with any limits', async () => {
		expect(await errorOf('wallet: transfer', { parameters: TRANSFER, ...assistant })).toEqual([
			'Maximum Amount is filled in by the AI agent',
			fix,
		]);
		const { maximumAmount: _, ...parameters } = TRANSFER;
		expect(await errorOf('wallet: transfer', { parameters, ...assistant })).toEqual([
			'Maximum Amount is empty',
			fix,
		]);
	});

	it('refuses a ramp transfer with any limits', async () => {
		const name = 'rampTransfer: updateAmount';
		expect(await errorOf(name, { parameters: RAMP, ...assistant })).toEqual([
			'Maximum Amount is not set, and an AI agent is using this node',
			fix,
		]);
		const parameters = { ...RAMP, options: { maximumAmount: '10' } };
		expect(await errorOf(name, { parameters, ...assistant })).toEqual([
			'Maximum Amount is filled in by the AI agent',
			fix,
		]);
	});

	it('lets Endpoint: Request only read', async () => {
		const write = { parameters: { method: 'POST', path: '/x' }, ...assistant };
		expect((await errorOf('endpoint: request', write))[0]).toContain('Method is not a fixed value');
		const read = { parameters: { method: 'GET', path: '/x' }, ...assistant };
		await expect(workOf('endpoint: request', read)).resolves.toBeDefined();
	});

	it('runs a change that moves no money', async () => {
		const freeze = { parameters: { cardId: 'c' }, ...assistant };
		await expect(workOf('card: freeze', freeze)).resolves.toBeDefined();
	});
});

describe('Endpoint: Request by an AI agent', () => {
	const call = (method: string, path: string, raw: object = {}): Item => ({
		parameters: { method, path },
		raw: { method, path, ...raw },
		isTool: true,
	});
	const agents = '={{ $fromAI("x") }}';
	const fixOf = (label: string) =>
		`Enter ${label} yourself, as a fixed value: an agent must not choose what it writes to.`;

	it.each([
		call('POST', '/management/clients'),
		call('GET', '/x', { method: agents, path: agents }),
		call('HEAD', '/x', { path: agents }),
		call('GET', '/virtual-wallets/ramps/transfer/r'),
	])('accepts %j', async (item) => {
		await expect(workOf('endpoint: request', item)).resolves.toBeDefined();
	});

	it.each([
		['path', 'Path'],
		['method', 'Method'],
	])('writes only with a fixed %s', async (name, label) => {
		for (const raw of [agents, '=/fixed/but/an/expression', undefined]) {
			const item = call('POST', '/x', { [name]: raw });
			expect(await errorOf('endpoint: request', item)).toEqual([
				`${label} is not a fixed value, and an AI agent is requesting a write`,
				fixOf(label),
			]);
		}
	});

	it.each([
		'/mpc/accounts/a/wallets/w/transfer',
		'/MPC/accounts/a/wallets/w/Transfer/',
		'/mpc/accounts/a/wallets/w/%74ransfer',
		'/mpc/accounts/a/wallets/w/transfer;x',
		'/virtual-wallets/ramps/transfer/r',
	])('never writes to %s', async (path) => {
		expect(await errorOf('endpoint: request', call('POST', path))).toEqual([
			'Path belongs to an operation that moves money, and an AI agent is requesting it',
			'Give the agent the operation Transfer or Update Amount instead: those have guards.',
		]);
	});

	it('is unrestricted in a workflow without an agent', async () => {
		const item = { ...call('POST', '/mpc/accounts/a/wallets/w/transfer'), isTool: false };
		await expect(workOf('endpoint: request', item)).resolves.toBeDefined();
	});

	it("is a keyed write only with the user's key", async () => {
		const effectOf = async (method: string, options = {}) => {
			const item = { parameters: { method, path: '/x', options } };
			return (await workOf('endpoint: request', item)).profile.effect;
		};
		expect(await effectOf('GET')).toBe('read');
		expect(await effectOf('HEAD')).toBe('read');
		expect(await effectOf('DELETE')).toBe('unkeyed write');
		expect(await effectOf('POST', { idempotencyKey: 'k' })).toBe('keyed write');
	});
});
