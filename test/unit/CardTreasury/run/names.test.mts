import { readMemory } from '../../../../nodes/CardTreasury/run/execution.ts';
import { namesOf, paymentKey } from '../../../../nodes/CardTreasury/run/names.ts';
import { hostOf } from '../../reading.mts';

/**
 * Names in databases and at the service, of a text beyond ASCII and a host with a port. They outlive every update, so
 * these values may never change. More of them are in the tests of batch and prepare.
 */
const HOST = 'api.example.com';
const VALUES = ['acc-1', 'w-1', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'native', '100.5'];
const refOf = (reference: string, host: string) => namesOf(host, reference, 'F').ref;

const { n8n } = hostOf({}, {}, { getWorkflowDataProxy: () => ({ $runIndex: 1 }) });

it.each([
	['run note', readMemory(n8n)?.runNote, 'pWC9n9jthv6yNw6dvNvZkjr8TjrpOeogYW1RScJ69xQ'],
	['ref', refOf('INV-1', `${HOST}:8443`), 'DS564FtUNb4GmzDlyoLHNZcH-bFHNGCoqJq1Om_Kd1w'],
	['ref', refOf('Ä-1', HOST), '-nl-4ZW3VopZaEHexnVN6-mRaDDD_hnywtE3ph95O6Q'],
	['key', paymentKey(HOST, 'INV-1', VALUES), '17304fe1-034d-5c17-9f68-e47fde7fc697'],
	['key', paymentKey(HOST, 'Ä-1', VALUES), '3cc9ba57-6518-5db3-acfd-bdf349b5e7cc'],
])('the %s is the golden one: %#', (_name, value, golden) => {
	expect(value).toBe(golden);
});
