import { freePorts, programOf } from '../program.mts';
import type { Host } from './install.mts';

interface ProcessOptions {
	/** n8n's data folder; each process needs its own. */
	userFolder: string;
	port?: number;
	/** Read at every start. */
	env?: Record<string, string>;
}

/** Settings that keep n8n off the internet and let all its processes read the data. */
const QUIET: Record<string, string> = {
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	// Base of the URLs that n8n returns. The default `localhost` may resolve to another address.
	N8N_HOST: '127.0.0.1',
	N8N_ENCRYPTION_KEY: 'demo-only-encryption-key',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_SECURE_COOKIE: 'false',
	...Object.fromEntries(
		[
			'DIAGNOSTICS',
			'VERSION_NOTIFICATIONS',
			'TEMPLATES',
			'PERSONALIZATION',
			'VERIFIED_PACKAGES',
			'DYNAMIC_BANNERS',
			'LICENSE_AUTO_RENEW',
		].map((name) => [`N8N_${name}_ENABLED`, 'false']),
	),
};

/** Module that requests a list of servers from the internet. */
const REGISTRY = 'mcp-registry';

/** Starts `n8n <args>`, a main, worker or webhook process, and waits until it is ready. */
export async function startProcess(
	host: Host,
	args: string[],
	{ userFolder, port: wanted, env }: ProcessOptions,
) {
	const [free, broker] = (await freePorts(2)) as [number, number];
	const port = String(wanted || free);
	const url = `http://127.0.0.1:${port}`;
	const started = programOf({
		name: 'n8n',
		spawn: () =>
			host.spawn(args, {
				HOME: userFolder,
				N8N_USER_FOLDER: userFolder,
				N8N_PORT: port,
				QUEUE_HEALTH_CHECK_PORT: port,
				N8N_RUNNERS_BROKER_PORT: String(broker),
				...QUIET,
				...(host.hasModule(REGISTRY) && { N8N_DISABLED_MODULES: REGISTRY }),
				...env,
			}),
		isReady: async () => (await fetch(`${url}/healthz/readiness`)).ok,
		startsWithinMs: 300_000,
	});
	await started.start();
	return Object.assign(started, {
		/** Base URL of a main or webhook process; health check of a worker. */
		url,
	});
}
