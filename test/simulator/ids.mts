/** IDs of the seeded records, fixed so that flows and tests can name them. */
export const IDS = {
	company: 'c0a80000-0000-4000-8000-000000000001',

	account: 'acc-0001',
	wallet: 'wal-0001',
	secondWallet: 'wal-0002',

	activeCard: 'ca4d0000-0000-4000-8000-000000000001',
	frozenCard: 'ca4d0000-0000-4000-8000-000000000002',
	blockedCard: 'ca4d0000-0000-4000-8000-000000000003',
	/** Blocked card, named in the samples of Card Treasury Trigger, so that a flow started by a sample can act on it. */
	sampleCard: '00000000-0000-4000-8000-00000000ca4d',
	/** The only card with version 2 search and detail (§9.4). */
	enterpriseCard: 'ca4d0000-0000-4000-8000-0000000000e1',

	/** An approved purchase of the enterprise card. */
	purchase: 'op-0001',

	pendingRamp: 'ramp-0001',
	processingRamp: 'ramp-0002',
	completedRamp: 'ramp-0003',

	/** Client with product requests in the statuses `pending_documentation` and `rejected`. */
	client: 'cl-0001',
	pendingProductRequest: 'pr-0003',
	rejectedProductRequest: 'pr-0001',
	/** Has requests in `enabled` and `in_kyc`. */
	otherClient: 'cl-0002',
	enabledProductRequest: 'pr-0101',
	inKycProductRequest: 'pr-0102',
	newClient: 'cl-0003',
	/** The client in the samples of Card Treasury Trigger; has a request in `pending_documentation`. */
	sampleClient: 'sample-client',
	sampleProductRequest: 'pr-0201',
} as const;

/** API keys by access level (§5.2). Obviously fake. */
export const API_KEYS = {
	1: 'test-api-key-level-1',
	2: 'test-api-key-level-2',
	3: 'test-api-key-level-3',
} as const;

/** Default webhook key of the command line and the demo (§5.5). */
export const DEFAULT_WEBHOOK_KEY = 'test-webhook-key';

/** Recipients that decide the outcome of a transfer; any other succeeds. An invention of the simulator. */
export const MAGIC_RECIPIENTS = {
	PENDING: '0xDecAde0000000000000000000000000000000001',
	FAILED: '0xDECADe0000000000000000000000000000000002',
	MANUAL_CHECK: '0xDecaDE0000000000000000000000000000000003',
	WARNING: '0xDecAdE0000000000000000000000000000000004',
} as const;
