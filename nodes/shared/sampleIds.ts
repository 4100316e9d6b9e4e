/** IDs in the trigger's samples of events. Only the simulator knows them. */
export const SAMPLE_IDS = {
	card: '00000000-0000-4000-8000-00000000ca4d',
	client: 'sample-client',
	wallet: 'sample-wallet',
} as const;
