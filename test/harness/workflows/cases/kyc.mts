import { REJECTION_MARKER } from '../../../simulator/documentReview.mts';
import { IDS, sampleEvent } from '../../../simulator/index.mts';
import { COULD_NOT, image, type Upload } from '../form.mts';
import { ANA, clientRow, CLIENTS, LINK, waitsFor } from '../rows.mts';
import type { Case, Situation } from './case.mts';

const [YESTERDAY, TOMORROW] = [-1, 1].map((day) =>
	new Date(Date.now() + day * 86_400_000).toISOString(),
);

/** Clients, and what becomes of their rows. */
const follow = (
	rows: object[],
	days: number,
	{ rows: after, ...more }: { rows?: object[] } & Omit<Situation, 'rows'> = {},
): Situation => ({
	tables: { [CLIENTS]: rows },
	given: ({ simulator }) => waitsFor(simulator, days),
	...more,
	...(after && { rows: { [CLIENTS]: after } }),
});

/** Leaves the client with the newest of the requests, in this status. */
const only =
	(status: 'enabled' | 'in_kyc' | 'rejected'): Situation['given'] =>
	({ simulator: { state } }) => {
		const [request] = state.productRequestsOf(IDS.client);
		const rejection = { rejection_code: 'BLURRED', rejection_description: 'It is blurred' };
		Object.assign(request!, { status, ...(status === 'rejected' && rejection) });
		delete request!.missing_requirements;
	};

/** Lets the service not say what is missing, which its description does not allow. */
const silent: Situation['given'] = ({ simulator: { faults, state } }) => {
	const requests = structuredClone(state.productRequestsOf(IDS.client));
	for (const request of requests) delete request.missing_requirements;
	const body = JSON.stringify(requests);
	faults.add({ kind: 'body', body, match: { path: '/products$' }, times: 99 });
};

/** A client who opens the form, and can not send anything. */
const stranger = (row: object, event: Upload = {}): Situation => ({
	tables: { [CLIENTS]: [clientRow(ANA, { link: LINK, remind_on: TOMORROW, ...row })] },
	event,
	page: COULD_NOT,
});

/** A client who sends a document that is not taken. */
const notTaken = (event: Upload, told: RegExp, more: Partial<Situation> = {}): Situation => ({
	...{ ...stranger({}, event), told: [told] },
	...more,
});

const TO_LOOK_AT = String.raw`^\*KYC: 1 to look at\* \(10 at most are listed\)\ncl-0001 `;

export const KYC: Case[] = [
	{
		file: 'kyc-status-changed.json',
		situations: {
			rejected: {
				tables: { 'KYC statuses told': [] },
				event: sampleEvent('company_activity.client_status'),
				told: [/^Client status: .* is rejected: .*\nChanged at .*2026/],
			},
		},
	},
	{
		file: 'kyc-follow-up.json',
		situations: {
			missing: follow([clientRow(ANA)], 2, {
				done: [ANA.email],
				rows: [{ told: 'mailed' }],
			}),
			'missing for a day': follow([clientRow(ANA)], 1, { rows: [{ link: '' }] }),
			'mailed before': follow([clientRow(ANA, { remind_on: TOMORROW, told: 'mailed' })], 9),
			'missing for too long': follow([clientRow(ANA, { told: 'mailed' })], 16, {
				told: [new RegExp(`${TO_LOOK_AT}No mail has left, .*: • Proof of identity`)],
				nodes: ['Remember'],
			}),
			rejected: follow([clientRow(ANA)], 0, {
				given: only('rejected'),
				told: [new RegExp(`${TO_LOOK_AT}Client cl-0001: .*rejected, It is blurred`)],
				nodes: ['Tell the officer'],
			}),
			enabled: follow([clientRow(ANA, { told: 'mailed' })], 0, {
				given: only('enabled'),
				told: [new RegExp(`${TO_LOOK_AT}Client cl-0001: enabled`)],
				done: [ANA.email],
				nodes: ['Mail: enabled'],
			}),
			'enabled long ago': follow([clientRow(ANA)], 0, {
				given: only('enabled'),
				rows: [{ told: '0 enabled  0', summary: 'Client cl-0001: enabled.' }],
			}),
			'nothing missing': follow([clientRow(ANA)], 0, { given: only('in_kyc') }),
			nobody: follow([clientRow({ client_id: '', name: '', email: '' }), clientRow({})], 9),
			'not said': follow([clientRow(ANA)], 0, {
				given: silent,
				told: [/\ncl-0001 .*did not say/],
			}),
			'unknown beside one who is known': follow(
				[clientRow({ ...ANA, client_id: 'cl-unknown' }), clientRow(ANA)],
				2,
				{
					told: [/^\*KYC: 1 to look at\* .*\ncl-unknown <rejected>: .*not found/],
					done: [ANA.email],
				},
			),
		},
	},
	{
		file: 'kyc-upload.json',
		situations: {
			passport: {
				tables: { [CLIENTS]: [clientRow(ANA, { link: LINK, remind_on: TOMORROW })] },
				told: [/^\*KYC document\*\n<done>: document passport of client cl-0001/],
				done: ['productRequest.submitDocument'],
			},
			'rejected in part': notTaken({ front: image(REJECTION_MARKER) }, /^<done>: .*verified/m),
			'no image': notTaken(
				{ front: new File(['no'], 'a.txt', { type: 'text/plain' }) },
				/^(<done>|<rejected>|<not_sent>): /m,
			),
			'outcome unknown': notTaken({}, /<unknown>: /, {
				given: ({ simulator: { faults } }) =>
					void faults.add({ kind: 'reset-after', match: { path: '/documentation' } }),
				done: ['productRequest.submitDocument'],
			}),
			'unknown link': stranger({}, { link: 'guessed' }),
			'empty link': stranger({ link: '' }, { link: '' }),
			'old link': stranger({ remind_on: YESTERDAY }),
			'link of a client of whom nothing is asked': stranger({ client_id: IDS.otherClient }),
		},
	},
];
