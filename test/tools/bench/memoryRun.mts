// A process of its own, so that nothing but the node and n8n-core is in its memory: told what to run, it runs it once
// and tells the peaks. Settings of n8n come by environment.
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { runInCore, type CoreOptions, type CoreRun } from '../../engine/core.mts';
import { IDS } from '../../simulator/index.mts';

/** What to run. */
export interface MemoryTask {
	part: 'documents' | 'statements';
	baseUrl: string;
	items: number;
	/** Of each image. */
	bytes: number;
}

/** In bytes; `external` holds all buffers. */
export interface Usage {
	heapUsed: number;
	external: number;
	rss: number;
}

/** Each at its own highest, above what it was before the run. */
export interface MemoryReport {
	peak: Usage;
	/** What did not go well, in words. */
	wrong?: string;
}

const SAMPLE_MS = 20;

process.once('message', (task: MemoryTask) => {
	void measure(task).then((report) => process.send?.(report));
});

async function measure(task: MemoryTask): Promise<MemoryReport> {
	await Container.get(BinaryDataService).init();
	const images = task.part === 'documents' ? await storeImages(task.bytes) : {};
	const work = async (items: number) => await run(task, images, items);
	// Code that is loaded at the first use is not what an item costs.
	await work(1);
	const stop = sample();
	const { outputs, error } = await work(task.items);
	const peak = stop();
	const done = outputs[0]?.length ?? 0;
	const whole = error === undefined && done === task.items;
	return {
		peak,
		...(!whole && {
			wrong: `${done} of ${task.items} items: ${error?.message} ${error?.description}`,
		}),
	};
}

/** As a node before has stored them: the items only carry their places. */
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

async function run(
	{ part, baseUrl }: MemoryTask,
	binary: Record<string, IBinaryData>,
	count: number,
): Promise<CoreRun> {
	const items = Array.from({ length: count }, (): INodeExecutionData => ({ json: {}, binary }));
	return await runInCore({ baseUrl, parameters: PARAMETERS[part], items });
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const PARAMETERS: Record<MemoryTask['part'], CoreOptions['parameters']> = {
	documents: {
		resource: 'productRequest',
		operation: 'submitDocument',
		clientId: IDS.client,
		productRequestId: byId(IDS.pendingProductRequest),
		documentType: byId('passport'),
		frontImageField: 'front',
		backImageField: 'back',
		metadata: { mappingMode: 'defineBelow', value: { number: 'X1' } },
		options: { replace: true },
	},
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

/** @returns ends the sampling, and gives the peaks above this moment */
function sample(): () => Usage {
	global.gc?.();
	const usage = (): Usage => process.memoryUsage();
	const start = usage();
	const peak = { ...start };
	const look = () => {
		const now = usage();
		for (const name of ['heapUsed', 'external', 'rss'] as const)
			peak[name] = Math.max(peak[name], now[name]);
	};
	const timer = setInterval(look, SAMPLE_MS);
	return () => {
		clearInterval(timer);
		look();
		return {
			heapUsed: peak.heapUsed - start.heapUsed,
			external: peak.external - start.external,
			rss: peak.rss - start.rss,
		};
	};
}
