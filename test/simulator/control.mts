import type { FastifyPluginCallback } from 'fastify';
import { z } from 'zod';

import { errorAnswer, invalid, notFound, Rejected, type Answer } from './answer.mts';
import { guard } from './console/console.mts';
import { snapshot } from './console/snapshot.mts';
import { switchTrouble } from './console/troubles.mts';
import { EVENT_NAMES, sampleEvent } from './events/index.mts';
import { faultSchema } from './faults.mts';
import { send } from './handler.mts';
import { DEFAULT_WEBHOOK_KEY } from './ids.mts';
import { parseJson } from './parseJson.mts';
import type { Simulator } from './server.mts';
import { defect } from './service.mts';
import { settingsSchema } from './settings.mts';
import { TRANSFER_OUTCOMES } from './state.mts';

/**
 * Path prefix of the control API for other processes: needs no API key, is not rate limited and not recorded. The server
 * listens on loopback only.
 */
export const CONTROL_PREFIX = '/_simulator/';

const subscription = z.strictObject({
	url: z.string().url(),
	webhookKey: z.string().default(DEFAULT_WEBHOOK_KEY),
});

const emission = z.strictObject({
	event: z.string(),
	overrides: z.record(z.unknown()).optional(),
	/** Default: the subscription. */
	to: subscription.optional(),
});

const authorizations = z.strictObject({
	cardId: z.string(),
	count: z.number().int().min(1).max(1_000).default(1),
});

const outcomes = z.strictObject({ next: z.array(z.enum(TRANSFER_OUTCOMES)) });

const sending = emission.omit({ to: true }).extend({ target: z.string().optional() });
const pressing = z.strictObject({ ts: z.string(), label: z.string(), person: z.string() });
const stepping = z.strictObject({ name: z.string() });
const switching = z.strictObject({ name: z.string(), on: z.boolean() });

type Control = (simulator: Simulator, body: unknown) => unknown;

/** Handlers by `METHOD name`; the result is returned as JSON. */
const CONTROLS: Record<string, Control> = {
	'GET state': ({ state, settings, rateLimit, events }) => ({
		...state,
		rateLimit: { perSecond: settings.requestsPerSecond, rejected: rateLimit.rejected },
		...(events.subscription && { subscription: { url: events.subscription.url } }),
	}),
	'GET ledger': ({ ledger }) => ledger,
	'GET requests': ({ requests }) => requests,
	'GET deliveries': ({ deliveries }) => deliveries,
	'GET faults': ({ faults }) => faults.list(),
	'POST faults': ({ faults }, body) => {
		faults.add(...z.array(faultSchema).parse(Array.isArray(body) ? body : [body]));
		return faults.list();
	},
	'DELETE faults': ({ faults }) => faults.clear() ?? [],
	'GET settings': ({ settings }) => settings,
	'POST settings': ({ settings }, body) => Object.assign(settings, settingsSchema.parse(body)),
	'DELETE keys': ({ forgetKeys }) => forgetKeys() ?? {},
	'POST reset': (simulator) => simulator.reset() ?? {},
	'POST subscription': ({ events }, body) => {
		events.subscription = subscription.parse(body);
		return { url: events.subscription.url };
	},
	'POST events': async ({ events }, body) => {
		const { event, overrides, to } = emission.parse(body);
		return await events.emit(event, overrides, to);
	},
	'POST velocity': ({ events }, body) => {
		const { cardId, count } = authorizations.parse(body);
		return Array.from({ length: count }, () => events.authorize(cardId));
	},
	'GET console': (simulator) => snapshot(simulator),
	'GET samples': () => EVENT_NAMES.map((name) => ({ name, sample: sampleEvent(name) })),
	/** Unlike `events`, it does not wait for the end of the delivery. */
	'POST send': ({ events, company }, body) => {
		const { event, overrides = {}, target } = sending.parse(body);
		const chosen = company?.targets.find(({ name }) => name === target);
		if (target !== undefined && !chosen) throw new RangeError(`Unknown target: ${target}`);
		const n = events.deliveries.length + 1;
		sampleEvent(event, overrides);
		void events.emit(event, overrides, chosen).catch(() => undefined);
		return { n };
	},
	'POST press': async ({ company }, body) => {
		const { ts, label, person } = pressing.parse(body);
		const user = company?.people.find(({ id }) => id === person);
		if (!company || !user) throw new RangeError(`Unknown person: ${person}`);
		return (await company.press(ts, label, user)) ?? {};
	},
	'POST step': async ({ company }, body) => {
		const { name } = stepping.parse(body);
		const step = company?.steps.find((candidate) => candidate.name === name);
		if (!step) throw new RangeError(`Unknown step: ${name}`);
		return (await step.run()) ?? {};
	},
	'POST trouble': ({ faults }, body) => {
		const { name, on } = switching.parse(body);
		return switchTrouble(faults, name, on) ?? {};
	},
	'POST transfer-outcomes': ({ state }, body) => {
		state.nextTransferOutcomes = outcomes.parse(body).next;
		return { next: state.nextTransferOutcomes };
	},
};

/** Routes under `/_simulator/`; the message of a rejection names the mistake. */
export function controlRoutes(simulator: () => Simulator): FastifyPluginCallback {
	return (app, _options, done) => {
		app.addHook('onRequest', guard);
		app.removeAllContentTypeParsers();
		app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, next) => {
			const value = body === '' ? undefined : parseJson(String(body));
			if (body !== '' && value === undefined) next(invalid('The body is not valid JSON'));
			else next(null, value);
		});
		for (const [name, control] of Object.entries(CONTROLS)) {
			const [method = '', url = ''] = name.split(' ');
			app.route({ method, url, handler: async ({ body }) => await control(simulator(), body) });
		}
		app.setNotFoundHandler(({ method, url }) => {
			const controls = Object.keys(CONTROLS).join(', ');
			throw notFound(`Control (there are ${controls})`, `${method} ${url}`);
		});
		app.setErrorHandler((thrown, _request, reply) => send(reply, controlError(thrown)));
		done();
	};
}

function controlError(thrown: unknown): Answer {
	if (thrown instanceof Rejected) return thrown.answer;
	if (thrown instanceof z.ZodError) return errorAnswer(400, 'VAL', describeIssues(thrown));
	if (thrown instanceof RangeError) return errorAnswer(400, 'VAL', thrown.message);
	return defect(thrown);
}

export function describeIssues({ issues }: z.ZodError): string {
	return issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
}
