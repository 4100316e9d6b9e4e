import { orProblem, Problem } from '../../shared/problem';
import { shortened } from '../../shared/text';
import { option, optional, required, shownWhen, type Input, type Refuse } from '../fields/field';
import { choice, pairs, path as pathField, readName } from '../fields/kinds';
import { isExpression, reasonAgainst } from '../fields/values';
import type { Reply, ServiceRequest } from '../service/request';
import { operation, type Output } from './operation';
import { asItem } from './reply';

/** JSON text, sent as written, so that amounts keep all their digits. */
function readJson(value: unknown, refuse: Refuse, { raw }: Input): string {
	const orRefused = (_name: string, entry: unknown) => {
		const reason = typeof entry === 'number' ? reasonAgainst(entry, raw) : undefined;
		return reason ? refuse(...reason) : entry;
	};
	if (typeof value !== 'string') return JSON.stringify(value, orRefused);
	// Digits that the user typed are all there.
	const parsed = orProblem<unknown>(
		() => JSON.parse(value, isExpression(raw) ? orRefused : undefined) as unknown,
		() => refuse('is not valid JSON', 'Check quotation marks, commas and brackets.'),
	);
	if (parsed instanceof Problem) throw parsed;
	return value;
}

const isRead = (method: ServiceRequest['method']) => method === 'GET' || method === 'HEAD';

export const request = operation({
	name: 'Request',
	action: 'Request any other endpoint',
	description:
		"Call an endpoint that this node has no operation for, as described in the provider's API reference",
	effect: ({ method }) => (isRead(method) ? 'read' : 'once'),
	movesMoney: true,
	fields: {
		method: choice(
			'Method',
			{ DELETE: 'DELETE', GET: 'GET', HEAD: 'HEAD', PATCH: 'PATCH', POST: 'POST', PUT: 'PUT' },
			{ default: 'GET' },
		),
		path: pathField('Path', {
			placeholder: 'e.g. /management/clients',
			description: 'The part after the Base URL, without query parameters',
		}),
		queryParameters: pairs('Query Parameters', 'Added to the path, encoded'),
		jsonBody: shownWhen(
			{ method: ['DELETE', 'PATCH', 'POST', 'PUT'] },
			optional('JSON Body', { type: 'json', description: 'Sent exactly as written' }, readJson, {
				takesAny: true,
			}),
		),
		idempotencyKey: option(
			required(
				'Idempotency Key',
				{
					placeholder: 'e.g. INV-2026-0017',
					description: 'Sent as written. Set it only if the endpoint honors Idempotency-Key.',
				},
				(value, refuse) => {
					const key = readName(value, refuse);
					return /^[\x20-\x7e]{1,255}$/.test(key)
						? key
						: refuse('cannot be sent in a header', 'Use at most 255 ASCII characters.');
				},
				{ isName: true },
			),
		),
	},
	request: ({ method, path, queryParameters: query, jsonBody: body, idempotencyKey: key }) => ({
		method,
		path,
		query,
		body,
		...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
	}),
	say: ({ method, path }) => method && path && `${method} ${shortened(path, 80)}`,
	output: (reply, { method }) => outputOf(reply, isRead(method)),
});

const isText = (type: string) => /^$|^text\/|[/+](?:xml|csv|yaml|x-ndjson|javascript)$/.test(type);

/** A list becomes items, but a write always has one, because its outcome must be shown. */
function outputOf({ json, text, type, bytes, traceId }: Reply, isRead: boolean): Output {
	if (Array.isArray(json) && (isRead || json.length > 0)) return { items: json.map(asItem) };
	if (json !== undefined) return { items: [asItem(json)] };
	if (bytes.length === 0) return { items: [{ trace_id: traceId }] };
	if (isText(type)) return { items: [{ answer: text }] };
	return { items: [{ trace_id: traceId }], files: { data: { bytes, name: 'data', type } } };
}
