import lodash from 'lodash';

import { EVENTS } from '../../../nodes/CardTreasuryTrigger/catalog.ts';
import { emit } from '../../../nodes/CardTreasuryTrigger/emit.ts';
import {
	ENTRIES,
	outputOf,
	sampleOf,
	schemaIssues,
	summaryOf,
	type Envelope,
} from '../../../nodes/CardTreasuryTrigger/events.ts';
import { isObject } from '../../../nodes/shared/isObject.ts';
import { EVENT_SAMPLES, HASH } from '../../samples/events.mts';
import { EVENT_NAMES, sampleEvent } from '../../simulator/index.mts';
import { eachRow } from '../reading.mts';
import { standIn } from './standIn.mts';

const NOW = new Date(Date.UTC(2026, 10, 21, 10));
const issuesOf = (event: object) => schemaIssues(event as Envelope);
const BLOCKED = 'cards.card_blocked_by_velocity';

/** Paths such as `fees.atm_fees` of the fields without fields of their own. */
const pathsOf = (data: object): string[] =>
	Object.entries(data).flatMap(([name, value]) =>
		isObject(value) ? pathsOf(value).map((path) => `${name}.${path}`) : [name],
	);

it('the entries are those of the samples, and their events those of the document, in its order', () => {
	expect(ENTRIES.map(({ name }) => name)).toEqual(Object.keys(EVENT_SAMPLES));
	expect(EVENTS.map(({ name }) => name)).toEqual(EVENT_NAMES);
});

it.each(Object.entries(EVENT_SAMPLES))(
	'%s is an entry of the panel, and has its own output, summary and custom data',
	async (entry, { panel, status, key, summary }) => {
		const { label, output, when } = ENTRIES.find(({ name }) => name === entry)!;
		expect([label, output, when]).toEqual(panel);
		const [product, event_type] = entry.split('.');
		const name = `${product}.${event_type}`;
		const event: Envelope = { ...sampleEvent(name, { status }) };
		if ('transaction_hash' in event.data) event.data.transaction_hash = HASH;
		expect(summaryOf(event)).toBe(summary);
		const { n8n, customData } = standIn({
			parameters: { events: ['other', entry] },
			items: [{ ...event, delivery: { key: 'k', trace_id: 't' } }],
		});
		expect((await emit(n8n)).map(({ length }) => length)).toEqual([0, 1]);
		const { operation_id } = event;
		expect(customData).toEqual({ event: name, operation_id, trace_id: 't', ...key });
	},
);

describe('output of an event', () => {
	const both = ['treasury.transfer', 'treasury.transfer.failed', 'other'];
	it.each<[output: number | undefined, events: string[], statuses: unknown[]]>([
		[0, both, ['success', 'pending', 'manual_check', 'settled', undefined, {}]],
		[1, both, ['failed', 'FAILED', 'Failed ', 'canceled', 'cancelled', 'CANCELLED']],
		[1, both, ['time_canceled', 'TIME_CANCELLED']],
		[0, ['treasury.transfer'], ['failed', 'success']],
		[0, ['other'], ['failed', 'success']],
		[1, ['treasury.transfer.failed', 'other'], ['success']],
		[undefined, ['treasury.transfer.failed'], ['success']],
		[undefined, ['cards.warranty_withdraw.failed', 'treasury.ramp_on'], ['failed']],
	])('%s of %j takes transfers with the statuses %j', (output, events, statuses) => {
		for (const status of statuses)
			expect(outputOf(events, { ...sampleEvent('treasury.transfer'), status })).toBe(output);
	});

	it('a rejected client has its own output, whatever the status of the event', () => {
		const events = ['company_activity.client_status', 'company_activity.client_status.rejected'];
		const event = { ...sampleEvent('company_activity.client_status'), status: 'success' };
		const outputs = ['rejected', 'REJECTED', 'in_kyc', undefined].map((status) =>
			outputOf(events, { ...event, data: { status } }),
		);
		expect(outputs).toEqual([1, 1, 0, 0]);
	});

	it('an event type with the name of an entry is another event', () => {
		const event = { ...sampleEvent('treasury.transfer'), event_type: 'transfer.failed' };
		expect(outputOf(both, event)).toBe(2);
		expect(outputOf(['treasury.transfer.failed'], event)).toBeUndefined();
	});
});

it.each(ENTRIES.map(({ name }) => name))('the sample of %s is as documented', (name) => {
	const sample = sampleOf(name, 'sample-1', NOW)!;
	expect(issuesOf(sample)).toEqual([]);
	const event = sampleEvent(`${sample.product}.${sample.event_type}`);
	if (EVENT_NAMES.includes(name)) expect(sample.status).toBe(event.status);
	expect(outputOf([name], sample)).toBe(0);
	const fields = [sample, event].map(({ data }) => pathsOf(lodash.omit(data, 'reason')).sort());
	expect(fields[0]).toEqual(fields[1]);
	// The operation_id of a blocked card is the card (§6.5), and its company stands beside the data (§6.2).
	const isBlock = name === BLOCKED;
	expect(sample.operation_id).toBe(isBlock ? sample.data.card_id : 'sample-1');
	expect(sample.company_id).toBe(isBlock ? sample.data.company_id : undefined);
	expect('reason' in sample.data).toBe(name === 'virtual_wallets.withdraw.failed');
});

describe('issues', () => {
	it.each(EVENT_NAMES)('each documented field of %s that is missing is an issue', (name) => {
		const event = sampleEvent(name);
		expect(issuesOf({ ...event, extra: 1 })).toEqual([]);
		// A business client has no names (§2.8).
		const fields = pathsOf(event.data).filter((field) => !/^(?:first|last)_name$/.test(field));
		for (const field of fields) {
			// The fields of this token are not documented.
			const isOpen = /transfer|withdraw$/.test(name);
			const path = isOpen ? field.replace('token.address', 'token') : field;
			const broken = { ...event, data: lodash.omit(event.data, path) };
			expect(issuesOf(broken)).toEqual([expect.stringMatching(`^data\\.${path}: `)]);
		}
	});

	const WITHDRAW = 'virtual_wallets.withdraw';
	const CLIENT = 'company_activity.client_status';
	eachRow<[name: string, changes: object, issue?: string]>(`
		cards.cleared | {"data.bill_amount":"12,50"} | data.bill_amount
		cards.cleared | {"data.fees.fx_fees":"1e3"} | data.fees.fx_fees
		cards.declined | {"data.decline_reason":null} | data.decline_reason
		treasury.transfer | {"data.blockchain":"POLYGON"} | data.blockchain
		${BLOCKED} | {"data.triggered_rule.max_authorizations":1.5} | data.triggered_rule.max_authorizations
		${BLOCKED} | {"company_id":"-"} | company_id
		cards.cleared | {"status":"settled"} | status
		cards.cleared | {"status":"-"} | status
		cards.cleared | {"operation_id":7} | operation_id
		cards.cleared | {"data.created_at":"yesterday"} | data.created_at
		cards.authorization | {"data.bill_currency_number":"USD"} | data.bill_currency_number
		cards.cleared | {"product":"cardz"} | product
		${WITHDRAW} | {"status":"failed","data.reason":"-"} | data.reason
		${CLIENT} | {"data.rejection_code":"-"} | data.rejection_code
		treasury.transfer | {"status":"canceled"}
		treasury.transfer | {"status":"time_canceled"}
		treasury.transfer | {"status":"manual_check"}
		${BLOCKED} | {"data.last_authorization_id":null}
		cards.authorization | {"data.signature":"0x5"}
		${WITHDRAW} | {"status":"failed","data.reason":{"any":1}}
		${CLIENT} | {"status":"success","data.status":"enabled","data.rejection_code":"-","data.rejection_description":"-"}
		${CLIENT} | {"data.type":"business","data.first_name":"-","data.last_name":"-"}
		cards.authorized | {"event_type":"new","data":{"any":1}}
	`)('%s with %j: %s', (...[name, changes, issue]) => {
		const event = sampleEvent(name);
		for (const [path, value] of Object.entries(changes))
			if (value === '-') lodash.unset(event, path);
			else lodash.set(event, path, value);
		expect(issuesOf(event)).toEqual(issue ? [expect.stringMatching(`^${issue}: `)] : []);
	});
});

describe('summary', () => {
	const transfer = sampleOf('treasury.transfer', 's', NOW)!;
	const of = (changes: object, data: object = {}) =>
		summaryOf({ ...transfer, ...changes, data: { amount: '5', wallet_id: 'w', ...data } });

	const usdc = { symbol: 'USDC', address: '0x1' };
	const ramp = { product: 'virtual_wallets', event_type: 'ramp_on', status: 'failed' };
	it.each<[summary: string, changes: object, data?: object]>([
		['Treasury transfer succeeded: 5 from wallet w to ?', {}],
		['Treasury transfer succeeded: 5 USDC of token 0x1 from wallet w to ?', {}, { token: usdc }],
		['Treasury transfer succeeded: 5 from wallet w to ?: late', {}, { reason: 'late' }],
		['Treasury transfer succeeded: 5 from wallet a] [b{n} to ?', {}, { wallet_id: 'a] [b{n}' }],
		['Treasury transfer manual check: 5 from wallet w to ?', { status: 'MANUAL_CHECK' }],
		['Treasury transfer ‹!here›: 5 from wallet w to ?', { status: '<!here>' }],
		['Treasury transfer without status: 5 from wallet w to ?', { status: undefined }],
		['Virtual wallet ramp (failed): ? ? to 5 ? in wallet w', ramp],
		['Event x.constructor (success): see its data', { product: 'x', event_type: 'constructor' }],
	])('%s', (summary, changes, data = {}) => {
		expect(of(changes, data)).toBe(summary);
	});

	it('the code of a 3DS challenge is left out', () => {
		const event = sampleEvent('cards.notification_3ds_authorization');
		expect(summaryOf(event as never)).not.toContain(event.data.code);
	});
});
