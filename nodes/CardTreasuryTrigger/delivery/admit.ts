import { AUTHORIZATION, eventName, route } from '../events';
import { isAllowed, type IpAllowlist } from './allowlist';
import { deliveryKey, parse } from './envelope';
import {
	ACKNOWLEDGED,
	NOT_DECIDED,
	refusal,
	type Arrival,
	type ReceivedEvent,
	type Reply,
} from './replies';
import { checkAge, checkKey, readTimestamp, type MaximumAge, type Rejection } from './verify';

/** A delivery as it arrived; nothing in it can be trusted. */
export interface Delivery {
	/** By lower-case name. */
	headers: Readonly<Record<string, unknown>>;
	body: unknown;
	/** The sender's address. */
	sender: unknown;
	arrival: Arrival;
}

/** Whom and what the trigger takes in. */
export interface AdmissionSettings {
	/** The chosen events. */
	events: string[];
	maximumAgeSeconds: MaximumAge;
	ipAllowlist: IpAllowlist | 'any sender';
}

export type Admission =
	| { kind: 'admitted'; event: ReceivedEvent }
	| { kind: 'replied'; reply: Reply };

/**
 * Takes a delivery in, or answers it: allowed sender, key and age (§5.5), envelope (§6.2), chosen event.
 * @param keysFor gives the webhook keys that a delivery with this key is to be checked against
 */
export async function admit(
	{ headers, body, sender, arrival }: Delivery,
	settings: AdmissionSettings,
	keysFor: (given: unknown) => Promise<string[]>,
): Promise<Admission> {
	if (settings.ipAllowlist !== 'any sender' && !isAllowed(settings.ipAllowlist, sender))
		return answer(refusal(403, 'FORBIDDEN', 'This sender is not in the IP allowlist'));
	const refused =
		(await checkSecret(headers['x-webhook-key'], keysFor)) ??
		checkAge(headers['x-request-timestamp'], settings.maximumAgeSeconds, arrival.at);
	if (refused !== undefined) return answer(refusal(401, 'AUTH', refused));

	const parsed = parse(body);
	if (!parsed.ok) return answer(refusal(400, 'VAL', parsed.message));
	const { envelope, issues } = parsed;
	const name = eventName(envelope);
	if (route(settings.events, name) === undefined)
		return answer(name === AUTHORIZATION ? NOT_DECIDED : ACKNOWLEDGED);
	return {
		kind: 'admitted',
		event: {
			name,
			envelope,
			issues,
			arrival,
			key: deliveryKey(envelope),
			traceId: headers['x-trace-id'],
			sentAt: readTimestamp(headers['x-request-timestamp']),
		},
	};
}

async function checkSecret(
	given: unknown,
	keysFor: (given: unknown) => Promise<string[]>,
): Promise<Rejection> {
	return given === undefined ? 'X-Webhook-Key is missing' : checkKey(given, await keysFor(given));
}

function answer(reply: Reply): Admission {
	return { kind: 'replied', reply };
}
