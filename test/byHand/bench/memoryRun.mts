// Separate process, so that its memory holds only the node and n8n-core. It receives its task, runs it once and reports
// the peaks. n8n's settings come from the environment.
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

import { runInCore, type CoreOptions } from '../../engine/core.mts';
import { documentOf } from '../../harness/fixtures.mts';
import { IDS } from '../../simulator/index.mts';

export interface MemoryTask {
	part: 'documents' | 'statements';
	baseUrl: string;
	items: number;
	bytes: number;
}

export interface MemoryReport {
	/** Bytes above the level before the run, each at its own peak; `external` holds all buffers. */
	peak: Record<'heapUsed' | 'external' | 'rss', number>;
	wrong?: string;
}

const SAMPLE_MS = 20;

process.once('message', (task: MemoryTask) => {
	void measure(task).then((report) => process.send?.(report));
});
// The node's waits do not keep a process alive, n8n's server does.
process.once('disconnect', () => process.exit());

async function measure({ part, baseUrl, items, bytes }: MemoryTask): Promise<MemoryReport> {
	await Container.get(BinaryDataService).init();
	const binary = part === 'documents' ? await storeImages(bytes) : {};
	const work = async (count: number) =>
		await runInCore({
			baseUrl,
			parameters: PARAMETERS[part],
			items: Array.from({ length: count }, () => ({ json: {}, binary })),
		});
	// Loads the code first, because it is not a cost of an item.
	await work(1);
	const stop = sample();
	const { outputs, error } = await work(items);
	const peak = stop();
	const done = outputs[0]?.length ?? 0;
	if (error === undefined && done === items) return { peak };
	return { peak, wrong: `${done} of ${items} items: ${error?.message} ${error?.description}` };
}

/** Stores images as an earlier node would; the items hold only references. */
async function storeImages(bytes: number): Promise<Record<string, IBinaryData>> {
	const image = Buffer.alloc(bytes, 7);
	image.write('\x89PNG\r\n\x1a\n', 'latin1');
	const store = async (fileName: string) =>
		await Container.get(BinaryDataService).store(
			{ type: 'execution', workflowId: 'workflow-1', executionId: '1' },
			image,
			{ data: '', mimeType: 'image/png', fileName },
		);
	return { front: await store('front.png'), back: await store('back.png') };
}

const PARAMETERS: Record<MemoryTask['part'], CoreOptions['parameters']> = {
	documents: documentOf('passport', {
		backImageField: 'back',
		frontImageField: 'front',
		options: { replace: true },
	}),
	statements: {
		resource: 'cardTransaction',
		operation: 'downloadStatement',
		cardId: IDS.activeCard,
		fromDate: '2026-01-01',
		toDate: '2026-01-31',
		binaryPropertyName: 'data',
		options: {},
	},
};

/** @returns a function that ends the sampling and returns the peaks above the current level */
function sample(): () => MemoryReport['peak'] {
	global.gc?.();
	const start = process.memoryUsage();
	const peak = { heapUsed: 0, external: 0, rss: 0 };
	const look = () => {
		const now = process.memoryUsage();
		for (const name of ['heapUsed', 'external', 'rss'] as const)
			peak[name] = Math.max(peak[name], now[name] - start[name]);
	};
	const timer = setInterval(look, SAMPLE_MS);
	return () => {
		clearInterval(timer);
		look();
		return peak;
	};
}
