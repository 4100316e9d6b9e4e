import type { FastifyPluginCallback } from 'fastify';
import lodash from 'lodash';
import { z } from 'zod';

import { errorAnswer, notFound, Rejected, type Answer } from './answer.mts';
import { guard } from './console/console.mts';
import { snapshot, targetsOf } from './console/snapshot.mts';
import { TROUBLES } from './console/troubles.mts';
import { EVENT_NAMES } from './description.mts';
import { sampleEvent } from './events.mts';
import { faultSchema } from './faults.mts';
import type { Simulator } from './server.mts';
import { send } from './service.mts';

/**
 * Path prefix of the control API for other processes: needs no API key, is not rate limited and not recorded. The server
 * listens on loopback only.
 */
export const CONTROL_PREFIX = '/_simulator/';

/** Result of a search by name. @throws RangeError without one */
function known<Found>(name: string, found: Found | undefined): Found {
	if (found !== undefined) return found;
	throw new RangeError(`Unknown: ${name}`);
}

/** Handlers by `METHOD name`; the result is returned as JSON. Those of the page trust it. */
const CONTROLS: Record<string, (simulator: Simulator, body: any) => unknown> = {
	'POST faults': ({ faults }, body) => {
		faults.add(...z.array(faultSchema).parse([body].flat()));
		return faults.list();
	},
	'DELETE faults': ({ faults }) => faults.clear() ?? [],
	'POST reset': (simulator) => simulator.reset() ?? {},
	'GET console': (simulator) => snapshot(simulator),
	'GET samples': () => EVENT_NAMES.map((name) => ({ name, sample: sampleEvent(name) })),
	/** Changes are by their path. It does not wait for the end of the delivery. */
	'POST send': (simulator, { event, overrides, target }) => {
		const found = targetsOf(simulator).find((each) => each.name === target);
		const changes: Record<string, unknown> = {};
		for (const [path, value] of Object.entries(overrides)) lodash.set(changes, path, value);
		void simulator.events.emit(event, changes, known(target, found));
		return {};
	},
	'POST press': async ({ company }, { ts, label, person }) => {
		await company?.press(ts, label, known(person, lodash.find(company.people, { id: person })));
		return {};
	},
	'POST step': async ({ company }, { name }) => {
		await known(
			name,
			company?.steps.find((each) => each.name === name),
		).run();
		return {};
	},
	'POST trouble': ({ faults }, { name, on }) => {
		const { fault } = known(name, lodash.find(TROUBLES, { name }));
		faults.remove(fault);
		if (on) faults.add(fault);
		return {};
	},
};

/** Routes under `/_simulator/`; the message of a rejection names the mistake. */
export function controlRoutes(simulator: () => Simulator): FastifyPluginCallback {
	return (app, _options, done) => {
		app.addHook('onRequest', guard);
		// `curl -d` calls its body a form.
		app.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			app.getDefaultJsonParser('ignore', 'ignore'),
		);
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

/** The message of a zod error is a list of its issues, each with its path. */
function controlError(thrown: unknown): Answer {
	const { message } = thrown as Error;
	if (thrown instanceof Rejected) return errorAnswer(thrown.status, thrown.code, message);
	return errorAnswer(400, 'VAL', message);
}
