import { z } from 'zod';

const count = (initial: number, max: number) => z.number().int().min(0).max(max).default(initial);

/** What the simulator does where the document leaves it open. */
export const settingsSchema = z.strictObject({
	/** Limit of §8; 0 = no limit. */
	requestsPerSecond: count(15, 100_000),
	/** Delay of every answer. */
	latencyMs: count(0, 600_000),
	/** Time until a pending transfer succeeds. */
	pendingTransferMs: count(3_000, 86_400_000),
});

export type Settings = z.infer<typeof settingsSchema>;
