import type { Envelope } from '../../../../nodes/CardTreasuryTrigger/delivery/envelope.ts';
import type { ReceivedEvent } from '../../../../nodes/CardTreasuryTrigger/delivery/replies.ts';
import { sampleEvent } from '../../../simulator/index.mts';

export const NOW = Date.UTC(2026, 10, 21, 10);

/** An event that was taken in, with as much time since then as `elapsed` tells. */
export function received(name: string, changes: Partial<ReceivedEvent> = {}): ReceivedEvent {
	const envelope: object = sampleEvent(name);
	return {
		name,
		envelope: envelope as Envelope,
		key: `${name}:op-1`,
		issues: [],
		arrival: { at: NOW, elapsed: () => 0, senderLeft: () => false },
		traceId: 'trace-1',
		sentAt: undefined,
		...changes,
	};
}
