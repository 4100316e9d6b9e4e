import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { harmless, sentences, textOf } from '../../../shared/text';
import { operation } from '../operation';
import { listIn, objectOf, objectsIn } from '../reply';
import {
	clientId,
	inWords,
	listPath,
	nameOf,
	statusOf,
	takesDocuments,
	unknownClient,
} from './request';

export const getMissingRequirements = operation({
	name: 'Get Missing Requirements',
	action: 'Get missing requirements of client',
	description:
		"List the documents and data that are still missing for a client's KYC, and tell how it stands",
	effect: 'read',
	level: 1,
	fields: { clientId },
	errors: [unknownClient],
	request: ({ clientId: client }) => ({ method: 'GET', path: listPath(client) }),
	// Any other reply would look as if nothing were missing.
	output: (reply, { clientId: client }) => ({
		items: [clientItem(client, objectsIn(listIn(reply)).filter(isNewest))],
	}),
});

/** @param requests the newest of each product */
function clientItem(client: string, requests: IDataObject[]): IDataObject {
	const requirements = requests.flatMap(requirementsOf);
	const silent = requests.filter(isSilent);
	const waiting = requests.filter((each) => isSilent(each) || requirementsOf(each).length > 0);
	const count = (of: IDataObject[]) => (silent.length > 0 ? null : of.length);
	const rejected = requests.filter((request) => statusOf(request) === 'rejected');
	// A rejection must not hide behind another product, and only a client with nothing else is enabled.
	const deciding =
		rejected[0] ?? requests.find((request) => statusOf(request) !== 'enabled') ?? requests[0];
	return {
		summary: linesOf(requirements, silent) || standing(client, requests),
		client_id: client,
		status: deciding ? statusOf(deciding) : null,
		rejections: rejected.map((request) => ({
			product: request.product ?? null,
			product_request_id: request.id ?? null,
			code: request.rejection_code ?? null,
			description: request.rejection_description ?? null,
		})),
		count: count(requirements),
		required_count: count(requirements.filter(({ required }) => required === true)),
		waiting_days: waitingDays(waiting),
		// Last field, because n8n's table shows the whole list in one cell.
		requirements,
	};
}

/** True for the newest request of a product. The list is newest first (§4.3), and what came before is history. */
const isNewest = ({ product }: IDataObject, at: number, all: IDataObject[]) =>
	all.findIndex((other) => other.product === product) === at;

const missingOf = (request: IDataObject) =>
	['enabled', 'rejected'].includes(statusOf(request)) ? {} : objectOf(request.missing_requirements);

/** True for a request that waits for documents, and does not say for which. */
function isSilent(request: IDataObject): boolean {
	const { documents, data } = missingOf(request);
	return takesDocuments(request) && ![documents ?? data, data ?? documents].every(Array.isArray);
}

/** Missing requirements of a product request (§2.3). */
function requirementsOf(request: IDataObject): IDataObject[] {
	const { documents, data } = missingOf(request);
	const item = (kind: string, row: IDataObject, needs: IDataObject): IDataObject => ({
		product: request.product ?? null,
		product_request_id: request.id ?? null,
		kind,
		id: row.id ?? null,
		name: row.name ?? null,
		description: row.description ?? null,
		required: row.required ?? null,
		...needs,
	});
	return [
		...objectsIn(documents).map((row) =>
			item('document', row, { accepted: objectsIn(row.valid_documents) }),
		),
		...objectsIn(data).map((row) => item('data', row, { fields: objectsIn(row.fields) })),
	];
}

/** A line for each requirement, for the client. Empty if nothing is missing. */
function linesOf(requirements: IDataObject[], silent: IDataObject[]): string {
	const unsaid = ({ product }: IDataObject) =>
		`• ${harmless(inWords(product), 80)}: the service did not say what is missing`;
	return [...requirements.map(lineOf), ...silent.map(unsaid)].join('\n');
}

/** How a client stands from whom nothing is missing, e.g. "Client cl-0003: rejected, The image could not be read." */
function standing(client: string, requests: IDataObject[]): string {
	const states = requests.map((request) => {
		const { product, rejection_description: reason } = request;
		const status = statusOf(request);
		const state = ['enabled', 'rejected'].includes(status)
			? [status, reason].filter(Boolean).map(textOf).join(', ')
			: `nothing is missing (${inWords(status)})`;
		return requests.length === 1 ? state : `${inWords(product)} ${state}`;
	});
	const all = states.join('; ') || 'no product request';
	return harmless(sentences(`Client ${harmless(client, 80)}: ${all}`));
}

/** E.g. "• Proof of identity (Cards for Individuals): Passport or National identity card". */
function lineOf(requirement: IDataObject): string {
	const { product, required, accepted, fields } = requirement;
	const about = [inWords(product), required === false && 'optional'].filter(Boolean).join(', ');
	const types = objectsIn(accepted).map(nameOf).join(' or ');
	const keys = objectsIn(fields)
		.map(({ key }) => textOf(key))
		.join(', ');
	const details = types || keys;
	return harmless(`• ${nameOf(requirement)} (${about})${details && `: ${details}`}`);
}

/** Whole days since the oldest of these requests changed. Null without one. */
function waitingDays(requests: IDataObject[]): number | null {
	const days = requests
		.map(({ updated_at: updated, created_at: created }) => textOf(updated ?? created))
		.map((changed) => Math.floor(-DateTime.fromISO(changed).diffNow('days').days))
		.filter((count) => !Number.isNaN(count));
	return days.length === 0 ? null : Math.max(0, ...days);
}
