// A process of its own, so that nothing but the node and n8n-core is in its memory: told what to run, it runs it once
// and tells the peaks. Settings of n8n come by environment.
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import lodash from 'lodash';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { runInCore, type CoreOptions, type CoreRun } from '../../engine/core.mts';
import { IDS } from '../../simulator/index.mts';
import { documentOf } from '../../harness/fixtures.mts';

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

/** Above what it was before the run. */
export interface MemoryReport {
	/** Each at its own highest. */
	peak: Usage;
	/** Heap and buffers together, in equal steps: the highest of each. */
	course: number[];
	/** How long the run took. */
	seconds: number;
	/** What did not go well, in words. */
	wrong?: string;
}

const SAMPLE_MS = 20;
/** Of the course: as many as a chart shows. */
const STEPS = 60;

process.once('message', (task: MemoryTask) => {
	void measure(task).then((report) => process.send?.(report));
});
// What the node waits for does not keep a process alive: n8n's own server does.
process.once('disconnect', () => process.exit());

async function measure(task: MemoryTask): Promise<MemoryReport> {
	await Container.get(BinaryDataService).init();
	const images = task.part === 'documents' ? await storeImages(task.bytes) : {};
	const work = async (items: number) => await run(task, images, items);
	// Code that is loaded at the first use is not what an item costs.
	await work(1);
	const stop = sample();
	const { outputs, error } = await work(task.items);
	const usage = stop();
	const done = outputs[0]?.length ?? 0;
	const whole = error === undefined && done === task.items;
	return {
		...usage,
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

/** @returns ends the sampling, and gives what was above this moment */
function sample(): () => Pick<MemoryReport, 'peak' | 'course' | 'seconds'> {
	global.gc?.();
	const usage = (): Usage => process.memoryUsage();
	const start = usage();
	const began = performance.now();
	const peak = { ...start };
	const course: number[] = [];
	const look = () => {
		const now = usage();
		for (const name of ['heapUsed', 'external', 'rss'] as const)
			peak[name] = Math.max(peak[name], now[name]);
		course.push(now.heapUsed + now.external - start.heapUsed - start.external);
	};
	const timer = setInterval(look, SAMPLE_MS);
	return () => {
		clearInterval(timer);
		look();
		const each = Math.ceil(course.length / STEPS);
		return {
			peak: {
				heapUsed: peak.heapUsed - start.heapUsed,
				external: peak.external - start.external,
				rss: peak.rss - start.rss,
			},
			course: lodash.chunk(course, each).map((part) => Math.max(0, ...part)),
			seconds: (performance.now() - began) / 1_000,
		};
	};
}
