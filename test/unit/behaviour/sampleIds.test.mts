import { EVENTS, sampleOf } from '../../../nodes/CardTreasuryTrigger/events/index.ts';
import { IDS } from '../../simulator/index.mts';
import { workOf } from '../CardTreasury/operations/reading.mts';

const SAMPLE_FIX =
	"This ID comes from the trigger's sample and exists only in the simulator. Enter the ID of a real one, or test with a real event.";

/** IDs by which an operation could look up a sample. */
const sampleIds = (key: string) =>
	EVENTS.flatMap((event) => {
		const data = sampleOf(event, 'o', new Date(0)).data as Record<string, string | undefined>;
		return data[key] ?? [];
	});

it.each([
	['card: get', 'Card not found', { cardId: IDS.sampleCard }],
	['cardTransaction: downloadStatement', 'Card not found', { cardId: IDS.sampleCard }],
	['productRequest: getAll', 'Client not found', { clientId: IDS.sampleClient, limit: 5 }],
])("%s: %s points out a sample's ID", async (name, message, ids) => {
	const fixOf = async (parameters: object) =>
		(await workOf(name, { parameters: { ...parameters } })).profile.errors?.find(
			(error) => error.message === message,
		)?.fix;
	expect(await fixOf(ids)).toBe(SAMPLE_FIX);
	expect(await fixOf({ cardId: IDS.activeCard, clientId: IDS.client })).not.toBe(SAMPLE_FIX);
});

it('a read before a write points it out too; other rejections do not', async () => {
	const parameters = {
		clientId: IDS.sampleClient,
		productRequestId: 'p',
		documentType: 'passport',
		frontImageField: 'data',
	};
	const files = { data: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) };
	const { profile, precheck } = await workOf('productRequest: submitDocument', {
		parameters,
		files,
	});
	expect(precheck?.profile.errors).toEqual([expect.objectContaining({ fix: SAMPLE_FIX })]);
	expect(profile.errors?.map(({ fix }) => fix === SAMPLE_FIX)).toEqual([true, false]);
});

it.each([
	['card_id', IDS.sampleCard],
	['wallet_id', 'sample-wallet'],
	['id', IDS.sampleClient],
])("%s of the trigger's samples is %s", (key, id) => {
	expect(new Set(sampleIds(key))).toEqual(new Set([id]));
});
