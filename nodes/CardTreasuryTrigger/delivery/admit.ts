import { AUTHORIZATION, eventName, route } from '../events';
import { isAllowed, type IpAllowlist } from './allowlist';
import { deliveryKey, parse } from './envelope';
import { NOT_DECIDED, refusal, type Arrival, type ReceivedEvent, type Refusal } from './replies';
import { checkAge, checkKey, readTimestamp, type MaximumAge, type Rejection } from './verify';

/** Delivery as received. No part of it can be trusted. */
export interface Delivery {
	/** Headers by lower-case name. */
	headers: Readonly<Record<string, unknown>>;
	body: unknown;
	/** Address of the sender. */
	sender: unknown;
	arrival: Arrival;
}

/** Settings that decide which deliveries are accepted. */
export interface AdmissionSettings {
	events: string[];
	maximumAgeSeconds: MaximumAge;
	ipAllowlist: IpAllowlist | 'any sender';
}

/** Refusal of a sender that is not in the IP allowlist. */
export const NOT_ALLOWED = refusal(403, 'FORBIDDEN', 'This sender is not in the IP allowlist');

type Admission =
	| { kind: 'event'; event: ReceivedEvent }
	/** Card authorization, which needs a decision. */
	| { kind: 'authorization'; event: ReceivedEvent }
	| { kind: 'refused'; reply: Refusal }
	/** Event to acknowledge and drop, because the user has not chosen it. */
	| { kind: 'discarded' };

/**
 * Checks a delivery: sender, key, age (§5.5), envelope (§6.2), and if the event is chosen.
 * @param readKeys returns the accepted webhook keys
 */
export async function admit(
	{ headers, body, sender, arrival }: Delivery,
	settings: AdmissionSettings,
	readKeys: () => Promise<string[]>,
): Promise<Admission> {
	if (settings.ipAllowlist !== 'any sender' && !isAllowed(settings.ipAllowlist, sender))
		return refuse(NOT_ALLOWED);
	const refused =
		(await checkSecret(headers['x-webhook-key'], readKeys)) ??
		checkAge(headers['x-request-timestamp'], settings.maximumAgeSeconds, arrival.at);
	if (refused !== undefined) return refuse(refusal(401, 'AUTH', refused));

	const parsed = parse(body);
	if (!parsed.ok) return refuse(refusal(400, 'VAL', parsed.message));
	const { envelope, issues } = parsed;
	const name = eventName(envelope);
	const kind = name === AUTHORIZATION ? 'authorization' : 'event';
	// An expression may give no events after publishing. Acknowledged events would be lost.
	if (settings.events.length === 0 && kind === 'event')
		return refuse(refusal(503, 'NOT_TAKEN', 'No events are chosen in the trigger'));
	if (route(settings.events, envelope) === undefined)
		return kind === 'authorization' ? refuse(NOT_DECIDED) : { kind: 'discarded' };
	return {
		kind,
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

async function checkSecret(given: unknown, readKeys: () => Promise<string[]>): Promise<Rejection> {
	return given === undefined ? 'X-Webhook-Key is missing' : checkKey(given, await readKeys());
}

function refuse(reply: Refusal): Admission {
	return { kind: 'refused', reply };
}
