import { DateTime } from 'luxon';

import { choice } from '../../../shared/fields/choice';
import { collection } from '../../../shared/fields/field';
import { isEmpty } from '../../../shared/fields/source';
import { harmless, textOf } from '../../../shared/plainLine';
import type { JsonObject } from '../../request/input';
import { objectsIn } from '../../request/request';
import { operation, type OutputShape } from '../operation';
import {
	ACCEPTED,
	client,
	DATA_FIELD,
	foundRequests,
	isOpen,
	isSilent,
	matching,
	missingIn,
	nameOf,
	PRODUCT_REQUESTS,
	productLabel,
	products,
	unknownClient,
} from './productRequests';

const REQUIREMENT: OutputShape = {
	client_id: 'string',
	product: 'string',
	product_request_id: 'string',
	kind: 'string',
	id: 'string',
	name: 'string',
	description: 'string',
	required: 'boolean',
	accepted: [ACCEPTED],
	fields: [DATA_FIELD],
};

const LOOK = 'Look at the product requests with Get Many, or ask the provider.';

export const getMissingRequirements = operation({
	name: 'Get Missing Requirements',
	action: 'Get missing requirements of client',
	description: "List the documents and data that are still missing for a client's KYC",
	section: '4.3',
	searchHint: 'which passport, ID or other KYC document a client still has to send',
	endpoint: PRODUCT_REQUESTS,
	level: 1,
	effect: 'read',
	answer: 'array',
	timeoutMs: 15_000,
	fields: {
		clientId: client,
		itemPer: choice('One Item Per', {
			client: {
				name: 'Client',
				description: 'Always one item, with a summary that can go into a message',
			},
			requirement: {
				name: 'Requirement',
				description: 'One item per missing document or data field; none when nothing is missing',
			},
		}),
		filters: collection('Filters', 'Add filter', { products }),
	},
	errors: [unknownClient],
	merges: ({ clientId, itemPer, filters }) =>
		itemPer === 'client' ? JSON.stringify([clientId, filters]) : undefined,
	items: (answer, { clientId, itemPer, filters }) => {
		const requests = matching(answer, filters);
		const requirements = requests
			.filter(isOpen)
			.flatMap((request) => requirementsOf(clientId, request));
		if (itemPer === 'requirement') return requirements;
		return [clientItem(clientId, filters.products, { requests, requirements })];
	},
	unmatched: (answer, { clientId, itemPer, filters }) => {
		const isUnsaid = itemPer === 'requirement' && matching(answer, filters).some(isSilent);
		return isUnsaid
			? `The service did not say all that is missing for client ${clientId}. ${LOOK}`
			: foundRequests(answer, filters);
	},
	hints: (results) => {
		const count = results.flat().filter(({ count: missing }) => missing === null).length;
		if (count === 0) return [];
		const [clients, say] = count === 1 ? ['1 client', 'it'] : [`${count} clients`, 'they'];
		return [
			{
				message: `The service did not say what is missing for ${clients}, although ${say} must send something. ${LOOK}`,
				type: 'warning',
			},
		];
	},
	output: {
		summary: 'string',
		client_id: 'string',
		count: 'number',
		required_count: 'number',
		waiting_days: 'number',
		requirements: [REQUIREMENT],
	},
	otherOutput: { when: 'with One Item Per set to Requirement', shape: REQUIREMENT },
});

function requirementsOf(clientId: string, request: JsonObject): JsonObject[] {
	const { documents = [], data = [] } = missingIn(request) ?? {};
	const item = (kind: 'data' | 'document', requirement: JsonObject, needs: JsonObject) => ({
		client_id: clientId,
		product: request.product ?? null,
		product_request_id: request.id ?? null,
		kind,
		id: requirement.id ?? null,
		name: requirement.name ?? null,
		description: requirement.description ?? null,
		required: requirement.required ?? null,
		...needs,
	});
	return [
		...documents.map((document) =>
			item('document', document, { accepted: objectsIn(document.valid_documents).map(acceptedOf) }),
		),
		...data.map((entry) => item('data', entry, { fields: objectsIn(entry.fields) })),
	];
}

/** Document type as it came, except for what a workflow makes a form of: a list, and true or false. */
const acceptedOf = (type: JsonObject): JsonObject => ({
	...type,
	require_back_image: type.require_back_image === true,
	metadata: objectsIn(type.metadata),
});

interface Requests {
	/** Product requests of a client. */
	requests: JsonObject[];
	/** Requirements that the open requests list as missing. */
	requirements: JsonObject[];
}

function clientItem(
	clientId: string,
	products: string[],
	{ requests, requirements }: Requests,
): JsonObject {
	const silent = requests.filter(isSilent);
	const count = (of: number) => (silent.length > 0 ? null : of);
	return {
		summary:
			requests.length === 0
				? noneOf(clientId, products)
				: summaryOf(clientId, requirements, silent),
		client_id: clientId,
		count: count(requirements.length),
		required_count: count(requirements.filter(({ required }) => required === true).length),
		waiting_days: waitingDays(requests.filter(isWaiting)),
		// Last field, because n8n's table shows the whole list in one cell.
		requirements,
	};
}

/** True if the request waits for the client, or may. */
const isWaiting = (request: JsonObject): boolean =>
	isSilent(request) || (isOpen(request) && missingIn(request) !== undefined);

function noneOf(clientId: string, chosen: string[]): string {
	const of = chosen.length === 0 ? '' : ` for ${chosen.map(productLabel).join(' or ')}`;
	return `Client ${harmless(clientId)}: no product request exists${of}.`;
}

/** Text with a line per requirement, for the client. Without any, a line about the client, for the officer. */
function summaryOf(clientId: string, requirements: JsonObject[], silent: JsonObject[]): string {
	const lines = [
		...requirements.map(lineOf),
		...silent.map(
			({ product, id }) =>
				`• ${productOf(product) ?? `Product request ${harmless(textOf(id ?? '?'))}`}: the service did not say what is missing`,
		),
	];
	return lines.length === 0
		? `Client ${harmless(clientId)}: nothing is missing.`
		: lines.join('\n');
}

/** Whole days since the oldest open request changed. Null without an open request. */
function waitingDays(open: JsonObject[]): number | null {
	const days = open
		.map(({ updated_at: updated, created_at: created }) =>
			DateTime.fromISO(textOf(updated ?? created), { zone: 'utc' })
				.diffNow('days')
				.negate(),
		)
		.filter(({ isValid }) => isValid)
		.map((waited) => Math.floor(waited.days));
	return days.length === 0 ? null : Math.max(0, ...days);
}

/** Line of the summary, e.g. `• Proof of identity (Cards for Individuals): Passport or National identity card` */
function lineOf(requirement: JsonObject): string {
	const accepted = objectsIn(requirement.accepted).map((type) => harmless(nameOf(type)));
	const fields = objectsIn(requirement.fields).flatMap(({ key }) =>
		typeof key === 'string' ? [harmless(key)] : [],
	);
	const details = requirement.kind === 'document' ? accepted.join(' or ') : fields.join(', ');
	const about = [productOf(requirement.product), requirement.required === false && 'optional'];
	const facts = about.filter(Boolean).join(', ');
	const line = `• ${harmless(nameOf(requirement))}${facts && ` (${facts})`}`;
	return details === '' ? line : `${line}: ${details}`;
}

/** Label of a product. Undefined if the service gave none. */
const productOf = (product: unknown): string | undefined =>
	isEmpty(product) ? undefined : harmless(productLabel(product));
