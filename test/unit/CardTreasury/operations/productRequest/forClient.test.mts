import fc from 'fast-check';

import { forClient } from '../../../../../nodes/CardTreasury/operations/productRequest/forClient.ts';
import type { Ending, ItemOutcome } from '../../../../../nodes/CardTreasury/operations/work.ts';
import type { RequestFailure } from '../../../../../nodes/CardTreasury/request/errors.ts';
import { InvalidFieldError } from '../../../../../nodes/shared/fields/invalidField.ts';
import { expectHarmless, outside } from '../../../../harness/outside.mts';

const IDS = { client_id: 'cl-0001', product_request_id: 'pr-0003', trace_id: 'trace-0009' };
const LATER = 'We could not take your document now. Please try again later, or answer our email.';
const MAYBE = 'We may have your document: please wait for our answer before you send it again.';
const NOT_TAKEN = 'We have your upload, but parts of it were not taken: ';
const AGAIN = 'Correct that and send it again.';

const named = (...names: unknown[]) => names.map((name) => ({ id: 'key', name }));
const product = (documents: unknown, data: unknown = []) => ({
	product: { missing_requirements: { documents, data } },
});
const because = (...reasons: unknown[]) => ({
	rejected_items: reasons.map((reason) => ({ type: 'document', key: 'passport', reason })),
});
const request = (given: Partial<RequestFailure>): RequestFailure => ({
	kind: 'request failure',
	message: 'The service rejected the request (HTTP 400)',
	fix: 'Check the values of the fields.',
	traceId: IDS.trace_id,
	outcome: 'rejected',
	...given,
});
const told = (given: object, outcome: ItemOutcome = 'done', failure?: Ending['failure']) =>
	forClient({ outcome, item: { ...IDS, rejected_items: [], ...given }, failure });

describe('text for the client about a document that the service has', () => {
	it.each<[string, object, string]>([
		['nothing is said about the rest', {}, 'We have your document.'],
		['the rest is null', { product: { missing_requirements: null } }, 'We have your document.'],
		['the product is no object', { product: 'pending' }, 'We have your document.'],
		[
			'nothing else is missing',
			product([]),
			'We have your document. Nothing else is missing here.',
		],
		[
			'a document is missing',
			product(named('Proof of address')),
			'We have your document. Still missing: Proof of address.',
		],
		[
			'data is missing too',
			product(named('Proof of address', 'Photo'), named('Tax number')),
			'We have your document. Still missing: Proof of address and Photo. Please answer our email with: Tax number.',
		],
		[
			'an optional document is missing',
			product([{ name: 'Photo', required: false }]),
			'We have your document. Still missing: Photo (optional).',
		],
		[
			'more than five are missing',
			product(named('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'), named('I')),
			'We have your document. Still missing: A, B, C, D, E and 3 more. Please answer our email with: I.',
		],
		[
			'one of two has no name',
			product(named(null, 'B')),
			'We have your document. Still missing: B and 1 more.',
		],
		['one has no name', product(named('')), 'We have your document. Still missing: 1 thing.'],
		['none has a name', product(named(7, null)), 'We have your document. Still missing: 2 things.'],
		[
			'a name is long',
			product(named(`${'x'.repeat(60)} <!channel>\nend`)),
			`We have your document. Still missing: ${'x'.repeat(39)}…`,
		],
		[
			'a name contains IDs',
			product(named('Photo of cl-0001', 'Form pr-0003 trace-0009')),
			'We have your document. Still missing: Photo of … and Form … …',
		],
	])('says no more than the answer, if %s', (_, given, text) => {
		expect(told(given)).toBe(text);
	});

	it.each<[string, object, string]>([
		[
			'one reason',
			because('image_front: The document could not be verified'),
			`${NOT_TAKEN}front image: The document could not be verified. ${AGAIN}`,
		],
		[
			'a reason with a full stop, and something missing',
			{ ...because('Too small.'), ...product(named('Proof of identity')) },
			`${NOT_TAKEN}Too small. ${AGAIN} Still missing: Proof of identity.`,
		],
		[
			'equal reasons and a text instead of an object',
			{ rejected_items: [{ reason: 'Blurred' }, 'Blurred', 'image_back: Cut off'] },
			`${NOT_TAKEN}Blurred; back image: Cut off. ${AGAIN}`,
		],
		['no reason', because(undefined), `${NOT_TAKEN}a part of it. ${AGAIN}`],
		['five reasons', because('A', 'B', 'C', 'D', 'E'), `${NOT_TAKEN}A; B; C; and 2 more. ${AGAIN}`],
		[
			'a reason with an ID and a false link',
			because('<https://evil.example|Bank> refused cl-0001'),
			`${NOT_TAKEN}‹https://evil.example|Bank› refused … ${AGAIN}`,
		],
	])('does not sound like a success: %s', (_, given, text) => {
		expect(told(given)).toBe(text);
	});

	it('names less in a long text, and keeps what to do', () => {
		const long = (name: string) => `${name} ${'x'.repeat(200)}`;
		const names = named(...['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(long));
		const text = told({ ...because(...['A', 'B', 'C', 'D'].map(long)), ...product(names) });
		expect(text).toMatch(/^We have your upload, but parts .* C x{57}…; and 1 more\. Correct/);
		expect(text).toMatch(/send it again\. Still missing: A x{37}… and 6 more\.$/);
		expect(told({ ...because('A'), ...product(names.slice(0, 5)) })).toContain(', D x');
	});

	it.each<[string, object, string]>([
		['the list', {}, 'We have your upload. We will tell you if anything in it was not taken.'],
		['the list, and gives a reason instead', { answer: { message: 'Try later' } }, MAYBE],
	])('promises nothing if the answer lacks %s', (_, given, text) => {
		expect(told({ rejected_items: null, ...product([]), ...given })).toBe(text);
	});
});

it.each<[ItemOutcome, string]>([
	['accepted', 'Your document was sent before. Please wait for our answer.'],
	['already_sent', 'Your document was sent before. Please wait for our answer.'],
	['unknown', MAYBE],
	['pending', MAYBE],
	['dry_run', 'This was a test: nothing was sent.'],
])('the text for the client tells the outcome %s without a reason', (outcome, text) => {
	const failure = request({ status: 400, reply: 'No' });
	for (const why of [undefined, failure, new InvalidFieldError('A', 'b', 'C.', 'it is red.')])
		expect(told({}, outcome, why)).toBe(text);
});

it.each<[object, string, string]>([
	[{ client_id: '5' }, 'Form W-9 2025, 5 pages', 'Form W-9 2025, 5 pages'],
	[{ client_id: '1000' }, '1000 by 10000 pixels', '… by 10000 pixels'],
	[
		{ client_id: 'cl-1', product_request_id: 'cl-1-pr-3' },
		'cl-1-pr-3 of cl-1 is blurred',
		'… of … is blurred',
	],
	[{ client_id: '3f2b8c1e-5d4a' }, 'Photo of 3F2B8C1E-5D4A_1', 'Photo of …_1'],
	[{ client_id: 'a.c(1)' }, 'a.c(1) and abc(1)', '… and abc(1)'],
])('of the IDs %j, the text "%s" keeps "%s"', (ids, reason, kept) => {
	expect(told({ ...ids, ...because(reason) })).toBe(`${NOT_TAKEN}${kept}. ${AGAIN}`);
});

describe('text for the client about a document that the service does not have', () => {
	it.each([400, 412, 413, 415, 422])('gives the reason of a %i', (status) => {
		const failure = request({ status, reply: 'image_front of cl-0001 is too large' });
		expect(told({}, 'rejected', failure)).toBe(
			`We did not take your document: front image of … is too large. ${AGAIN}`,
		);
	});

	it('says that it is not asked for after a 409', () => {
		const failure = request({ status: 409, reply: 'The request is in_kyc' });
		expect(told({}, 'rejected', failure)).toBe(
			'We did not take your document: it is not asked for now. If you were asked for it, please answer our email.',
		);
	});

	it('gives the reason of a refusal in plain words', () => {
		const failure = new InvalidFieldError('Front Image Field', 'is red', 'Paint it.', 'it is red.');
		expect(told({}, 'not_sent', failure)).toBe('We did not take your document: it is red.');
	});

	it.each<[string, ItemOutcome, Ending['failure']]>([
		['a parameter', 'not_sent', new InvalidFieldError('Client ID', 'is empty', 'Enter it.')],
		['the key', 'rejected', request({ status: 401, reply: 'Unknown key' })],
		['the key', 'rejected', request({ status: 403, reply: 'Not allowed' })],
		['the client', 'rejected', request({ status: 404, reply: 'Client cl-0001 not found' })],
		['the rate', 'rejected', request({ status: 429, reply: 'Slow down' })],
		['a reason that is not given', 'rejected', request({ status: 400 })],
		['the lookup before', 'not_sent', request({ status: 400, reply: 'No' })],
		['the lookup before', 'not_sent', request({ status: 409, reply: 'No' })],
		['the network', 'not_sent', request({ code: 'ECONNREFUSED' })],
		['nothing known', 'rejected', undefined],
	])('gives no reason that the client cannot mend: %s (%s)', (_, outcome, failure) => {
		expect(told({}, outcome, failure)).toBe(LATER);
	});
});

it('the text for the client is one short harmless line without IDs, whatever comes from outside', () => {
	const ids = fc.record({
		client_id: fc.constantFrom('cl-0001', 'cl-<1>', '3f2b8c1e-5d4a-4b6f-9a7c-1d2e3f4a5b6c'),
		product_request_id: fc.constantFrom('pr-0003', 'pr\u200B-0009', 'cl-0001-pr-3', 'CL-0001'),
	});
	const anyText = fc.oneof(
		outside,
		fc.constantFrom(
			'cl-0001',
			'CL-0001',
			'cl-0001-pr-3',
			'x cl-<1> pr-0009',
			'pr-0003 3f2b8c1e-5d4a-4b6f-9a7c-1d2e3f4a5b6c',
		),
		fc.tuple(outside, ids).map(([text, { client_id }]) => `${text}${client_id}${text}`),
	);
	const any = fc.oneof(anyText, fc.constant(null), fc.integer(), fc.record({ message: anyText }));
	const list = fc.oneof(any, fc.array(fc.oneof(any, fc.record({ name: any, reason: any }))));
	const item = fc.record(
		{
			rejected_items: list,
			product: fc.oneof(
				any,
				fc.record({
					missing_requirements: fc.oneof(any, fc.record({ documents: list, data: list })),
				}),
			),
			answer: any,
			trace_id: any,
		},
		{ requiredKeys: [] },
	);
	const failure = fc.oneof(
		fc.constant(undefined),
		fc.tuple(anyText, anyText).map(([a, plain]) => new InvalidFieldError(a, a, a, plain)),
		fc.record({ status: fc.constantFrom(400, 409, 422, 500), reply: anyText }).map(request),
	);
	const outcome = fc.constantFrom<ItemOutcome>(
		'done',
		'pending',
		'already_sent',
		'nothing_to_send',
		'dry_run',
		'failed',
		'rejected',
		'unknown',
		'not_sent',
		'accepted',
	);
	fc.assert(
		fc.property(outcome, ids, item, failure, (how, given, more, why) => {
			const text = forClient({ outcome: how, item: { ...more, ...given }, failure: why });
			expectHarmless(text);
			expect(text.length).toBeLessThanOrEqual(400);
			expect(text).toMatch(/^(?:We|Your|This) .*[.…]$|^We did not take your document: \S/);
			for (const id of Object.values(given))
				expect(text.toLowerCase()).not.toContain(
					id.replace('<', '‹').replace('>', '›').replace('\u200B', '').toLowerCase(),
				);
		}),
		{ numRuns: 500 },
	);
});
