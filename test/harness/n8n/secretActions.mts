import { IDS, type Fault } from '../../simulator/index.mts';
import type { ChainNode } from './chain.mts';
import { transferOf, byId, documentOf } from '../fixtures.mts';
import { cardTreasury } from './nodes.mts';
import type { Reference } from './scenario.mts';

const transfer = transferOf('1', { maxAttempts: 1 });
const submission = (productRequestId: string) =>
	documentOf('national_id', { productRequestId: byId(productRequestId), backImageField: 'data' });

export interface Action {
	what: string;
	step: (credential: Reference, wrongCredential: Reference) => ChainNode;
	/** How its execution ends. */
	ends: 'success' | 'error';
	fault?: Fault;
}

/** Successes and failures of the action node, by both of which a secret could get out; documents read the file `data`. */
export const ACTIONS: Action[] = [
	{ what: 'a transfer', step: (credential) => cardTreasury(transfer, credential), ends: 'success' },
	{
		what: 'a key that the service refuses',
		step: (_, wrongCredential) => cardTreasury(transfer, wrongCredential),
		ends: 'error',
	},
	{
		what: 'the same, continued',
		step: (_, wrongCredential) =>
			cardTreasury(transfer, wrongCredential, { onError: 'continueRegularOutput' }),
		ends: 'success',
	},
	{
		what: 'the same, by the error output',
		step: (_, wrongCredential) =>
			cardTreasury(transfer, wrongCredential, { onError: 'continueErrorOutput' }),
		ends: 'success',
	},
	{
		what: 'a connection that breaks',
		step: (credential) => cardTreasury(transfer, credential),
		ends: 'error',
		fault: { kind: 'reset-after', times: 9 },
	},
	{
		what: 'a page of a proxy',
		step: (credential) => cardTreasury(transfer, credential),
		ends: 'error',
		fault: { kind: 'html502', times: 9 },
	},
	{
		what: 'a path that does not exist',
		step: (credential) =>
			cardTreasury(
				{ resource: 'endpoint', operation: 'request', method: 'GET', path: '/no/such/path' },
				credential,
			),
		ends: 'error',
	},
	{
		what: 'a document',
		step: (credential) => cardTreasury(submission(IDS.pendingProductRequest), credential),
		ends: 'success',
	},
	{
		what: 'a document for a request that takes none',
		step: (credential) => cardTreasury(submission(IDS.rejectedProductRequest), credential),
		ends: 'error',
	},
	{
		what: 'a document that the service refuses',
		step: (credential) => cardTreasury(submission(IDS.pendingProductRequest), credential),
		ends: 'error',
		fault: { kind: 'status', status: 409, match: { method: 'POST' }, times: 9 },
	},
	{
		what: 'a document whose connection breaks',
		step: (credential) => cardTreasury(submission(IDS.pendingProductRequest), credential),
		ends: 'error',
		fault: { kind: 'reset-before', match: { method: 'POST' }, times: 9 },
	},
];
