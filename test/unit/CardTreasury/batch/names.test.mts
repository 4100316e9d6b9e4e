import { PARTS } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { notesOf } from '../../../../nodes/CardTreasury/batch/noteNames.ts';
import { answered, Execution, failed, postOf, TO, transferOf } from './batches.mts';

/** Names that outlive an update of the package: a change would forget what was paid, or pay it again. */
const START = 1_700_000_000_000;
const HOST = { target: 'api.example.com' };
const executionOf = (operation: string, answer = answered()) => {
	const execution = new Execution(operation, () => answer);
	execution.startedAt = execution.now = START;
	return execution;
};

it('parts have 10 items, and at most 8 of them are in flight', () => {
	expect(PARTS).toEqual({ size: 10, unsettled: 8 });
});

describe('names of notes', () => {
	it('an accepted payment has `part`, `ref` and `paid`, and an open one `open` instead of `paid`', async () => {
		const paid = executionOf('wallet: transfer');
		await paid.run([transferOf('1')], HOST);
		expect(paid.database.notes).toEqual([
			'kNcNLACumo8vAx1UPfJzsH0DPwILxICnnpuvsbTcvuE',
			'4BzFArYvh27TUyKYNXRyvbCjduq6edPKHh5ICQ2XCnY',
			'qx1jQhwu4ni6VaijoFZ0Mt7o3uHY3fHbnpxZLkQM-gw',
		]);
		const open = executionOf('wallet: transfer', failed('unknown'));
		await open.run([transferOf('1')], HOST);
		expect(open.database.notes).toEqual([
			'kNcNLACumo8vAx1UPfJzsH0DPwILxICnnpuvsbTcvuE',
			'4BzFArYvh27TUyKYNXRyvbCjduq6edPKHh5ICQ2XCnY',
			'G4otd9wjKBoaCR8V5v55J2cY5et9-NbEGqNuz1O3Wfc',
		]);
	});

	it('`paid` depends on the values', () => {
		const work = { payment: { reference: 'INV-1' }, fingerprint: 'F' };
		const batch = { caller: {}, service: HOST };
		expect(notesOf({ index: 0, work } as never, 0, batch as never)).toEqual({
			ref: '4BzFArYvh27TUyKYNXRyvbCjduq6edPKHh5ICQ2XCnY',
			open: 'G4otd9wjKBoaCR8V5v55J2cY5et9-NbEGqNuz1O3Wfc',
			paid: 'Wa55h16Sos4-VX4Ed2cTwFshxxdL4_nNvn7HdO3K4vA',
		});
	});

	it('the note of a part has the number of the part', async () => {
		const execution = executionOf('wallet: transfer');
		const earlier = Array.from({ length: 30 }, (_, at) =>
			transferOf(`${at + 1}`, { dryRun: true }),
		);
		await execution.run([...earlier, transferOf('31')], HOST);
		expect(execution.database.notes[0]).toBe('024Etr3AcrHZiVmQaZshdHtbAmRXdRxyh3nyvso96ik');
	});

	it('unkeyed writes, requests with a key, daily transfers and calls of an agent have their own names', async () => {
		const unkeyed = executionOf('endpoint: request');
		await unkeyed.run([postOf('{"a":1}'), postOf('{"a":1}')], HOST);
		expect(unkeyed.database.notes).toEqual([
			'kNcNLACumo8vAx1UPfJzsH0DPwILxICnnpuvsbTcvuE',
			'woIG00AwowQjm32gBb_8twmaQPIWjiPhrh8bee0-UnA',
			'joG-dM6_zMb7IlxlGvAsyOdFwd5UJWaX6WisU_VnHZs',
			'TZPsvb9gb8OlfSR8bcmqrUklIoozfJjDauQUwLgG4xE',
			't3goKFrxODjsVQBeJMfyFXjz-dJP9BAVV-_4NktpGk8',
		]);
		const keyed = executionOf('endpoint: request');
		await keyed.run([postOf('{"a":1}', { idempotencyKey: 'k' })], HOST);
		expect(keyed.database.notes).toEqual([
			'kNcNLACumo8vAx1UPfJzsH0DPwILxICnnpuvsbTcvuE',
			'1LJg3mhSxt8z0DhKJSCFbvn34Ye3h5PF6wYUugnz_p4',
			'DENCA53mRbHNWBz2yi9d1fKyzBxPsQgXI3bpXE4JXAI',
		]);
		const daily = executionOf('wallet: transfer');
		await daily.run([transferOf('1', { oncePerDay: true })], HOST);
		expect(daily.database.notes).toEqual([
			'kNcNLACumo8vAx1UPfJzsH0DPwILxICnnpuvsbTcvuE',
			'VRQygXmEI8M2PA24hjgOtE27FPEAKZbWlKDFiwZWm0A',
			'ISM4w725xDC_seKqLRUdA4LlHupsQSVeQtblvxS8evw',
		]);
		const call = executionOf('wallet: transfer');
		await call.run([transferOf('1', { allowedRecipients: TO })], { ...HOST, isTool: true });
		expect(call.database.notes).toEqual([
			'bk9tdCHzPTaoonFwNTR4CSrXFPuFtTInEISr0yHr8rg',
			'4BzFArYvh27TUyKYNXRyvbCjduq6edPKHh5ICQ2XCnY',
			'qx1jQhwu4ni6VaijoFZ0Mt7o3uHY3fHbnpxZLkQM-gw',
		]);
	});
});

describe('idempotency keys', () => {
	it('a payment has the key of its target, reference and values', async () => {
		const execution = executionOf('wallet: transfer');
		await execution.run([transferOf('1'), transferOf('2', { oncePerDay: true })], HOST);
		expect(execution.keys).toEqual([
			'5bfa46d4-877a-5dd5-814b-13f979eff293',
			'5bacccaf-4ce9-5a34-a074-e8acce999e84',
		]);
	});

	it('a request has the key that the user entered', async () => {
		const execution = executionOf('endpoint: request');
		await execution.run([postOf('{}', { idempotencyKey: 'k 1' })], HOST);
		expect(execution.keys).toEqual(['k 1']);
	});
});

describe('stored journal', () => {
	it('a payment is stored in this shape', async () => {
		const execution = executionOf('wallet: transfer');
		await execution.run([transferOf('1')], HOST);
		expect(JSON.parse(JSON.stringify(execution.data))).toEqual({
			entries: {
				'["Node",0,0]': {
					fingerprint: '1TPsURrQoTee0OcfpRndFKlJ4TbNjGjK4D-5mm8w3Ds',
					outcome: 'accepted',
					target: 'api.example.com',
					credential: 'key-1',
					node: 'node-1',
					reference: 'INV-1',
					key: '5bfa46d4-877a-5dd5-814b-13f979eff293',
					amount: '1',
					subject: expect.objectContaining({ wallet_id: 'wal-1', to: TO, amount: '1' }),
					items: [expect.objectContaining({ status: 'SUCCESS' })],
				},
			},
			first: { '["Node",': 0 },
		});
	});

	it('calls of an agent and unkeyed writes are stored in this shape', async () => {
		const call = executionOf('wallet: transfer');
		await call.run([transferOf('1', { allowedRecipients: TO })], { ...HOST, isTool: true });
		expect(Object.keys(call.data.entries ?? {})).toEqual([
			'{"reference":"INV-1","fingerprint":"1TPsURrQoTee0OcfpRndFKlJ4TbNjGjK4D-5mm8w3Ds"}',
		]);
		const unkeyed = executionOf('endpoint: request');
		await unkeyed.run([postOf('{"a":1}')], HOST);
		expect(JSON.parse(JSON.stringify(unkeyed.data))).toEqual({
			entries: {
				'["Node",0,0]': {
					fingerprint: 'DlsInYyHmTP5xln5c1o1E9tj18xfWsgKfd_gsvEe84I',
					outcome: 'accepted',
					target: 'api.example.com',
					credential: 'key-1',
					node: 'node-1',
					items: [expect.objectContaining({ status: 'SUCCESS' })],
					subject: expect.any(Object),
				},
			},
			first: { '["Node",': 0 },
			unkeyed: { '["Node",': [['DlsInYyHmTP5xln5c1o1E9tj18xfWsgKfd_gsvEe84I']] },
		});
	});
});
