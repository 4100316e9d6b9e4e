import { workOf, type Item } from '../operations/reading.mts';
import { cardOf, Execution, failed, postOf, transferOf } from './batches.mts';

/**
 * What an update of this package between an execution and its retry must not change, or money moves twice. Where one of
 * these differs, the change is a major version (CONTRIBUTING.md, "Versions").
 */

const PNG = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1');

const DOCUMENT: Item = {
	parameters: {
		clientId: 'c',
		productRequestId: 'p',
		documentType: 'national_id',
		frontImageField: 'front',
		metadata: { value: { number: 'X1' } },
		options: {},
	},
	files: { front: PNG },
};

it.each<[name: string, golden: string, item: Item]>([
	[
		'wallet: transfer',
		'f4bad37b6ce5cb67cf9adfdc1f42e4e47a1d17bd65d1f18ca9fe64856cf40ca7',
		transferOf('1.50'),
	],
	[
		'rampTransfer: updateAmount',
		'7ab7128207545b4e205d7ee9c5aaa8de973a18a00d0868eadbd10aebb1f01641',
		{ parameters: { rampTransferId: 'r', amount: '20', options: {} } },
	],
	[
		'card: configure3ds',
		'304d0facdfda3a95a8f54d2a63df2660bd06fd14aba5213883aa2ebbc68845c0',
		{ parameters: { cardId: 'c', type: 'sms', options: {} } },
	],
	['card: freeze', 'dc6b0844b047240416f613df9a36377b0676b54b6d456434ae12520feddf4d0f', cardOf('c')],
	[
		'card: unfreeze',
		'9bcacb289bbd5ee715c5df85fc18ab22713edcce75ffdd8c99c96f5aafbbaa87',
		cardOf('c'),
	],
	[
		'card: unblock',
		'bd253d2266b5c86c25400e401f483b85a97e698a410e23384a1e7c57c11962f4',
		cardOf('c'),
	],
	[
		'productRequest: submitDocument',
		'a30b0c40c144f5f489931ab82fb03e06744b5e75ad41196d62fccb87cecb44c3',
		DOCUMENT,
	],
	[
		'endpoint: request',
		'6906abaf5e102e9c36eb32fadba71390300ebf9feb9e68fefde6731ef6395a8d',
		postOf('{"b":1.50,"a":[1]}'),
	],
	[
		'endpoint: request',
		'4c1ba2e4478a8eb3b0a30678e0572acad800e36f806e245c5ad1fc9456492537',
		{
			parameters: {
				method: 'DELETE',
				path: '/any',
				queryParameters: { parameter: [{ name: 'x', value: 'y' }] },
				options: {},
			},
		},
	],
])('the request of %s stays known by its fingerprint %s', async (name, golden, item) => {
	expect((await workOf(name, item)).fingerprint).toBe(golden);
});

const TRANSFERS = ['1.5', '2'].map((amount) => transferOf(amount, { maximumAmount: '5' }));

/** The journal names a transfer of 1.5, and one of 2, by these. */
const FINGERPRINTS = [
	'f4bad37b6ce5cb67cf9adfdc1f42e4e47a1d17bd65d1f18ca9fe64856cf40ca7',
	'9facc38ebcea9dd8569ef7b1451d5936f7e5bec1c15de6b5460a899aab88013d',
] as const;

it('items are sent with the same keys by every version, and found again under the same names', async () => {
	const execution = new Execution('wallet: transfer', (_work, before) =>
		failed(before === 0 ? 'unknown' : 'rejected'),
	);
	await execution.run(TRANSFERS, { continueOnFail: true });
	expect(execution.keys).toEqual([
		'7c3b3b85-d41d-85e0-a7bf-5a9323423912',
		'8d38e1f0-c6e9-8e23-ad2a-53ebe11753a0',
	]);
	const shared = { target: 'target-1', sentAt: 1_000 };
	expect(execution.data).toEqual({
		entries: {
			'["Node",0,0]': {
				...shared,
				fingerprint: FINGERPRINTS[0],
				key: execution.keys[0],
				amount: '1.5',
				subject: expect.objectContaining({ amount: '1.5' }),
				outcome: 'unknown',
			},
			'["Node",0,1]': {
				...shared,
				fingerprint: FINGERPRINTS[1],
				key: execution.keys[1],
				amount: '2',
				subject: expect.objectContaining({ amount: '2' }),
				outcome: 'rejected',
			},
		},
		changes: { '/mpc/accounts/acc-1/wallets/wal-1/transfer': 1 },
	});
});

it("an agent's calls are sent with the same keys by every version, and found again under the same names", async () => {
	const execution = new Execution('wallet: transfer', () => failed('unknown'));
	await execution.run(TRANSFERS.slice(0, 1), { isTool: true });
	expect(execution.keys).toEqual(['221b42d5-fee3-81b2-a4dd-fc8e1aaceb35']);
	expect(execution.data).toEqual({
		entries: {
			[`{"asks":"${FINGERPRINTS[0]}"}`]: {
				fingerprint: FINGERPRINTS[0],
				outcome: 'unknown',
				target: 'target-1',
				sentAt: 1_000,
				key: execution.keys[0],
				amount: '1.5',
				subject: expect.objectContaining({ amount: '1.5' }),
			},
		},
		changes: {},
	});
});

it("an agent's repeated change of a card is sent with the same keys by every version", async () => {
	const execution = new Execution('card: freeze');
	for (let call = 0; call < 2; call++) await execution.run([cardOf('c')], { isTool: true });
	expect(execution.keys).toEqual([
		'a798b909-4ff5-8e7e-ac22-529c6f064df1',
		'add02bf5-cb68-814c-a9d4-7f024b3412ee',
	]);
	expect(execution.data.changes).toEqual({ '/cards/individual-cards/c/frozen': 2 });
});
