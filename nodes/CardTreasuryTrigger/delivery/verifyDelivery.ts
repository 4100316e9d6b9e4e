import type { IWebhookFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, acceptedWebhookKeys, readCredential } from '../../service/credential';
import { verify, type Proof, type Verdict } from './verify';

/** How long the current key of a node is taken for known once it was read, in milliseconds. */
const KNOWN_MS = 1_000;

/** The current webhook key of each node, and when it was read (epoch milliseconds). */
export type KnownKeys = Map<string, { key: string; at: number }>;

export interface Door {
	/** Names the node among all workflows. */
	node: string;
	maximumAgeSeconds: number;
	/** Epoch milliseconds. */
	now: number;
}

/**
 * Verifies a delivery (§5.5). n8n reads, decrypts and resolves the credential anew each time it is asked, and builds an
 * expression engine for it, so under load the current key is remembered for a second. A delivery that does not carry it
 * is verified against the credential as it is now: a new key is accepted, and a removed previous key refused, at once.
 * Only a current key that is replaced can be accepted for up to a second more.
 */
export async function verifyDelivery(context: IWebhookFunctions, known: KnownKeys, proof: Proof, door: Door): Promise<Verdict> {
	const { node, maximumAgeSeconds, now } = door;
	const recent = known.get(node);
	if (recent !== undefined && now - recent.at < KNOWN_MS) {
		const verdict = verify(proof, { keys: [recent.key], maximumAgeSeconds, now });
		if (verdict.ok) return verdict;
	}
	const keys = await acceptedKeys(context);
	const [current] = keys;
	if (current === undefined) known.delete(node);
	else known.set(node, { key: current, at: now });
	return verify(proof, { keys, maximumAgeSeconds, now });
}

/** A credential that is missing, or cannot be read at the moment, accepts no key. */
async function acceptedKeys(context: IWebhookFunctions): Promise<string[]> {
	try {
		return acceptedWebhookKeys(readCredential(await context.getCredentials(CREDENTIAL_TYPE)));
	} catch {
		return [];
	}
}
