import { createCredential, keys, type Reference } from '../../harness/n8n/credentials.mts';
import type { RunningN8n } from '../../harness/n8n/n8n.mts';
import { startScenario } from '../../harness/n8n/scenario.mts';
import type { TriggerWorkflow } from '../../harness/n8n/workflows.mts';
import { DEFAULT_WEBHOOK_KEY } from '../../simulator/index.mts';
import type { Load } from './measure.mts';

/** Ways in which n8n evaluates expressions; some benchmarks measure both. */
export const ENGINES = ['lazy', 'default'] as const;

export const ENGINE_LABELS: Record<string, string> = {
	lazy: 'lazy acquire',
	default: 'default settings',
};

/** Running n8n with the package and its credential. */
export interface Instance {
	n8n: RunningN8n;
	credential: Reference;
}

/** Runs `work` with an n8n, with or without lazy acquire. */
export async function withInstance<Result>(
	engine: string,
	work: (instance: Instance) => Promise<Result>,
): Promise<Result> {
	const scenario = await startScenario({
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: String(engine === 'lazy'),
	});
	try {
		const { n8n } = scenario;
		return await work({
			n8n,
			credential: await createCredential(n8n, keys(DEFAULT_WEBHOOK_KEY)),
		});
	} finally {
		await scenario.close();
	}
}

export const loadOf = (
	{ n8n }: Instance,
	{ url }: TriggerWorkflow,
	more: Pick<Load, 'event' | 'expected'>,
): Load => ({ url, webhookKey: DEFAULT_WEBHOOK_KEY, pid: n8n.pid, ...more });
