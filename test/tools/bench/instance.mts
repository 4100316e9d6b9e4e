import {
	createCredential,
	keys,
	startScenario,
	type Reference,
} from '../../harness/n8n/scenario.mts';
import type { RunningN8n } from '../../harness/n8n/n8n.mts';
import { DEFAULT_WEBHOOK_KEY } from '../../simulator/index.mts';
import { installBareTrigger } from './bareTrigger/install.mts';
import { createHeaderKey } from './flow.mts';

/** How n8n evaluates expressions: the parts of the benchmarks that are measured with both. */
export const ENGINES = ['lazy', 'default'] as const;

export const ENGINE_LABELS: Record<string, string> = {
	lazy: 'lazy acquire',
	default: 'default settings',
};

export const engineEnv = (engine: string) => ({
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: String(engine === 'lazy'),
});

/** A running n8n with the pack, the bare trigger, and the credentials that a receiver needs. */
export interface Instance {
	n8n: RunningN8n;
	credential: Reference;
	/** The same key for n8n's own Webhook node. */
	headerKey: Reference;
}

/** Starts n8n with or without lazy acquire for as long as `work` takes. */
export async function withInstance<Result>(
	engine: string,
	work: (instance: Instance) => Promise<Result>,
): Promise<Result> {
	const bare = installBareTrigger();
	const scenario = await startScenario({ ...bare.env, ...engineEnv(engine) });
	try {
		const { n8n } = scenario;
		return await work({
			n8n,
			credential: await createCredential(n8n, keys(DEFAULT_WEBHOOK_KEY)),
			headerKey: await createHeaderKey(n8n, DEFAULT_WEBHOOK_KEY),
		});
	} finally {
		await scenario.close();
		bare.remove();
	}
}
