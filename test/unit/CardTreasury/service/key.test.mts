import { namesOf } from '../../../../nodes/CardTreasury/run/refusals.ts';
import { hashOf, paymentKey } from '../../../../nodes/CardTreasury/service/key.ts';

/** Names in databases and at the service. They outlive every update, so none of these values may ever change. */
const HOST = 'api.example.com';
const VALUES = ['acc-1', 'w-1', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'native', '100.5'];
const names = namesOf({ reference: 'INV-1', fingerprint: 'F' }, HOST);
const once = namesOf({ reference: hashOf('once', '17', 0, 3), fingerprint: '' }, HOST);

it.each([
	['ref', names.ref, '4BzFArYvh27TUyKYNXRyvbCjduq6edPKHh5ICQ2XCnY'],
	['open', names.open, 'G4otd9wjKBoaCR8V5v55J2cY5et9-NbEGqNuz1O3Wfc'],
	['paid', names.paid, 'Wa55h16Sos4-VX4Ed2cTwFshxxdL4_nNvn7HdO3K4vA'],
	['run', hashOf('run', 1_700_000_000_000, 0), '44pIT6mSfzOXIV8Ju0qz51JWKQJieyoAUOl6KSlsNL0'],
	['fingerprint', hashOf(...VALUES), 'gXMGzRm3nTxzLkwCqUwyusWB7yu-hVLmx6L2nE0v_4o'],
	['ref of a write without a name', once.ref, 'fR46qkFbQ2d25jhVKA4-8y9Nf9ZlDyDb5olWyiugoGA'],
	[
		'ref with a port',
		namesOf({ reference: 'INV-1', fingerprint: 'F' }, `${HOST}:8443`).ref,
		'DS564FtUNb4GmzDlyoLHNZcH-bFHNGCoqJq1Om_Kd1w',
	],
	[
		'ref of a text beyond ASCII',
		namesOf({ reference: 'Ä-1', fingerprint: 'F' }, HOST).ref,
		'-nl-4ZW3VopZaEHexnVN6-mRaDDD_hnywtE3ph95O6Q',
	],
	['key', paymentKey(HOST, 'INV-1', VALUES), '17304fe1-034d-5c17-9f68-e47fde7fc697'],
	[
		'key of a text beyond ASCII',
		paymentKey(HOST, 'Ä-1', VALUES),
		'3cc9ba57-6518-5db3-acfd-bdf349b5e7cc',
	],
])('the %s is the golden one', (_name, value, golden) => {
	expect(value).toBe(golden);
});

it.each([
	['host', ['other.example.com', 'INV-1', VALUES]],
	['reference', [HOST, 'INV-2', VALUES]],
	...VALUES.map((_, at) => [`value ${at}`, [HOST, 'INV-1', VALUES.with(at, 'other')]] as const),
] as Array<[string, Parameters<typeof paymentKey>]>)('another %s has another key', (_name, of) => {
	expect(paymentKey(...of)).not.toBe(paymentKey(HOST, 'INV-1', VALUES));
});
