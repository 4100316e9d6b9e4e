import type { IWebhookFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, acceptedWebhookKeys, readCredential } from '../../service/credential';
import { verify, type Proof, type Verdict } from './verify';

/** How long the current key of a node is taken for known once it was read, in milliseconds. */
const KNOWN_MS = 1_000;

/** A key that was refused so many times in a row is refused again, for so many milliseconds, without reading the credential. */
const REFUSED = { times: 5, ms: 250 } as const;

interface Known {
	/** The current key. */
	key: string;
	/** When it was read (epoch milliseconds). */
	at: number;
	/** The last key that was refused, how often in a row, and when it was last read for (epoch milliseconds). */
	refused: { key: string; times: number; at: number };
}

/** What is known of each node's keys. */
export type KnownKeys = Map<string, Known>;

export interface Door {
	/** Names the node among all workflows. */
	node: string;
	maximumAgeSeconds: number;
	/** Epoch milliseconds. */
	now: number;
}

/**
 * Verifies a delivery (§5.5). n8n reads, decrypts and resolves the credential anew each time it is asked, and builds an
 * expression engine for it, so under load the current key is remembered for a second. A delivery that carries another one
 * is verified against the credential as it is now: a new key is accepted, and a removed previous key refused, at once.
 * Only a current key that is replaced can be accepted for up to a second more, and only a key that a misguided sender has
 * tried again and again is refused unread, for a quarter of a second.
 */
export async function verifyDelivery(
	context: IWebhookFunctions,
	known: KnownKeys,
	proof: Proof,
	door: Door,
): Promise<Verdict> {
	const { node, maximumAgeSeconds, now } = door;
	const carries = (...keys: string[]) => verify(proof, { keys, maximumAgeSeconds: 0, now }).ok;
	if (proof.webhookKey === undefined) return { ok: false, message: 'X-Webhook-Key is missing' };
	const recent = known.get(node);
	if (recent !== undefined && carries(...stillKnown(recent, now))) {
		return verify(proof, { keys: [recent.key], maximumAgeSeconds, now });
	}
	const keys = await acceptedKeys(context);
	const [current] = keys;
	const last = recent?.refused ?? { key: '', times: 0, at: 0 };
	const refused = carries(...keys)
		? last
		: { key: String(proof.webhookKey), times: carries(last.key) ? last.times + 1 : 1, at: now };
	if (current === undefined) known.delete(node);
	else known.set(node, { key: current, at: now, refused });
	return verify(proof, { keys, maximumAgeSeconds, now });
}

/** What need not be looked up again. */
function stillKnown({ key, at, refused }: Known, now: number): string[] {
	const isRefused = refused.times >= REFUSED.times && now - refused.at < REFUSED.ms;
	return [...(now - at < KNOWN_MS ? [key] : []), ...(isRefused ? [refused.key] : [])];
}

/** A credential that is missing, or cannot be read at the moment, accepts no key. */
async function acceptedKeys(context: IWebhookFunctions): Promise<string[]> {
	try {
		return acceptedWebhookKeys(readCredential(await context.getCredentials(CREDENTIAL_TYPE)));
	} catch {
		return [];
	}
}
