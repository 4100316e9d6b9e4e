import { DateTime } from 'luxon';

import { choice } from '../../../shared/fields/choice';
import { collection } from '../../../shared/fields/field';
import type { JsonObject } from '../../request/input';
import { objectOf, objectsIn } from '../../request/request';
import { operation, type OutputShape } from '../operation';
import {
	ACCEPTED,
	client,
	DATA_FIELD,
	isChosen,
	isOpen,
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
			requirement: {
				name: 'Requirement',
				description: 'One item per missing document or data field; none when nothing is missing',
			},
			client: {
				name: 'Client',
				description: 'Always one item, with a summary that can go into a message',
			},
		}),
		filters: collection('Filters', 'Add filter', { products }),
	},
	errors: [unknownClient],
	items: ({ json }, { clientId, itemPer, filters }) => {
		const requests = objectsIn(json).filter(({ product }) => isChosen(filters.products, product));
		const open = requests.filter(isOpen);
		const requirements = open.flatMap((request) => requirementsOf(clientId, request));
		if (itemPer === 'requirement') return requirements;
		return [clientItem(clientId, { requests, open, requirements })];
	},
	output: REQUIREMENT,
	otherOutput: {
		when: 'with One Item Per set to Client',
		shape: {
			client_id: 'string',
			summary: 'string',
			count: 'number',
			required_count: 'number',
			waiting_days: 'number',
			requirements: [REQUIREMENT],
		},
	},
});

function requirementsOf(clientId: string, request: JsonObject): JsonObject[] {
	const missing = objectOf({ json: request.missing_requirements });
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
		...objectsIn(missing.documents).map((document) =>
			item('document', document, { accepted: objectsIn(document.valid_documents) }),
		),
		...objectsIn(missing.data).map((data) =>
			item('data', data, { fields: objectsIn(data.fields) }),
		),
	];
}

/** Product requests of a client. `open` and `requirements` cover only those that wait for the client. */
interface Requests {
	requests: JsonObject[];
	open: JsonObject[];
	requirements: JsonObject[];
}

function clientItem(clientId: string, { requests, open, requirements }: Requests): JsonObject {
	return {
		client_id: clientId,
		summary: requests.length === 0 ? 'No product request exists.' : summaryOf(requirements),
		count: requirements.length,
		required_count: requirements.filter(({ required }) => required === true).length,
		waiting_days: waitingDays(open),
		// Last field, because n8n's table shows the whole list in one cell.
		requirements,
	};
}

function summaryOf(requirements: JsonObject[]): string {
	return requirements.length === 0 ? 'Nothing is missing.' : requirements.map(lineOf).join('\n');
}

/** Whole days since the oldest open request changed. Null without an open request. */
function waitingDays(open: JsonObject[]): number | null {
	const days = open
		.map(({ updated_at: updated, created_at: created }) =>
			DateTime.fromISO(String(updated ?? created), { zone: 'utc' })
				.diffNow('days')
				.negate(),
		)
		.filter(({ isValid }) => isValid)
		.map((waited) => Math.floor(waited.days));
	return days.length === 0 ? null : Math.max(0, ...days);
}

/** Line of the summary, e.g. `• Proof of identity (Cards for Individuals): Passport or National identity card` */
function lineOf(requirement: JsonObject): string {
	const accepted = objectsIn(requirement.accepted).map(nameOf).join(' or ');
	const fields = objectsIn(requirement.fields).map(({ key }) => String(key));
	const details = requirement.kind === 'document' ? accepted : fields.join(', ');
	const optional = requirement.required === false ? ', optional' : '';
	const line = `• ${nameOf(requirement)} (${productLabel(requirement.product)}${optional})`;
	return details === '' ? line : `${line}: ${details}`;
}
