import { image, requestOf, transferOf } from '../harness/fixtures.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import type { CoreOptions } from './core.mts';
import { body, jsonOf, run, sampleOf, tool, type Parameters } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const REFUSED =
	'An AI agent cannot move money with this node. Give the agent a sub-workflow with this operation, fixed guards, and a human review before it. 1 not sent.';

it.each<[name: string, parameters: Parameters, more: Partial<CoreOptions>]>([
	['a transfer', transferOf('1'), tool],
	['a dry run of a transfer', transferOf('1', { dryRun: true }), tool],
	['a ramp transfer', sampleOf('rampTransfer: updateAmount'), tool],
	['a write to any endpoint', requestOf(body('1')), tool],
	['a transfer behind the MCP Server Trigger', transferOf('1'), { ...tool, executionId: null }],
])('an agent is refused %s, and reads why', async (_name, parameters, more) => {
	const { error } = await run(parameters, more);
	expect(error?.message).toBe(REFUSED);
	expect(simulator.requests).toEqual([]);
});

it.each<[name: string, parameters: Parameters]>([
	['a setting', sampleOf('card: freeze')],
	['a read', sampleOf('card: get')],
	['a document', sampleOf('productRequest: submitDocument')],
	['a read of any endpoint', { ...requestOf(''), method: 'GET', path: '/mpc/tokens/list' }],
])('an agent may send %s', async (_name, parameters) => {
	const items = [{ json: {}, binary: { data: image() } }];
	const ended = await run(parameters, { ...tool, items });
	expect(ended.error).toBeUndefined();
	expect(jsonOf(ended).length).toBeGreaterThan(0);
});

it('an agent reads the reason and the advice in the message, because n8n passes on nothing else', async () => {
	const { error } = await run(sampleOf('card: freeze', { cardId: 'unknown' }), tool);
	expect(error?.message).toMatch(
		/^Card not found \(HTTP 404\)\. Check Card ID, .+ Code: NOT_FOUND · Trace ID: .+ 1 rejected\.$/,
	);
});
