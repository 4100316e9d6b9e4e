import { sampleOf } from '../../samples/operations.mts';
import { IDS, type Fault } from '../../simulator/index.mts';
import { byId, transferOf } from '../fixtures.mts';
import type { Reference } from './credentials.mts';
import { cardTreasury } from './nodes.mts';
import type { ChainNode } from './workflows.mts';

const transfer = transferOf('1');
const submission = (productRequestId: string) =>
	sampleOf('productRequest: submitDocument', { productRequestId: byId(productRequestId) });

type Ends = 'success' | 'error';

interface Action {
	what: string;
	step: (credential: Reference, wrongCredential: Reference) => ChainNode;
	ends: Ends;
	fault?: Fault;
}

const action = (what: string, parameters: object, ends: Ends, fault?: Fault): Action => ({
	what,
	step: (credential) => cardTreasury(parameters, credential),
	ends,
	fault,
});

const refused = (what: string, ends: Ends, settings: Partial<ChainNode> = {}): Action => ({
	what,
	step: (_, wrongCredential) => cardTreasury(transfer, wrongCredential, settings),
	ends,
});

const NO_PATH = {
	resource: 'endpoint',
	operation: 'request',
	method: 'GET',
	path: '/no/such/path',
};
const document = submission(IDS.pendingProductRequest);
const conflict: Fault = { kind: 'status', status: 409, match: { method: 'POST' } };

/** Successes and failures of the action node that could leak a secret; documents read the file `data`. */
export const ACTIONS: Action[] = [
	action('a transfer', transfer, 'success'),
	refused('a key that the service refuses', 'error'),
	refused('a refused key under Continue On Fail', 'success', { onError: 'continueRegularOutput' }),
	refused('a refused key and an error output', 'success', { onError: 'continueErrorOutput' }),
	action('a connection that breaks and is repeated', transfer, 'success', { kind: 'reset-after' }),
	action('an error page of a proxy', transfer, 'error', { kind: 'proxy', status: 404 }),
	action('a path that does not exist', NO_PATH, 'error'),
	action('a document', document, 'success'),
	action('a document for no request', submission(IDS.rejectedProductRequest), 'error'),
	action('a document that the service refuses', document, 'error', conflict),
	action('a document whose connection breaks', document, 'error', {
		...conflict,
		kind: 'reset-before',
	}),
];
