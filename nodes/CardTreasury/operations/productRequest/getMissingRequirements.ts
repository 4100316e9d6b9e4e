import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/isObject';
import { Problem } from '../../../shared/problem';
import { harmless, sentences, textOf } from '../../../shared/text';
import { operation } from '../operation';
import { objectOf, objectsIn } from '../reply';
import { clientId, inWords, listPath, nameOf, takesDocuments, unknownClient } from './request';

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
	output: ({ json, traceId }, { clientId: client }) => {
		// Otherwise nothing would seem to be missing.
		if (!Array.isArray(json))
			throw new Problem('The reply is not a list', 'Try again.', 'rejected', { traceId });
		return { items: [clientItem(client, objectsIn(json))] };
	},
});

function clientItem(client: string, requests: IDataObject[]): IDataObject {
	const open = requests.filter(({ status }) => status !== 'enabled' && status !== 'rejected');
	const requirements = open.flatMap(requirementsOf);
	const isSilent = (request: IDataObject) => {
		const { documents, data } = objectOf(request.missing_requirements);
		return takesDocuments(request) && !Array.isArray(documents) && !Array.isArray(data);
	};
	const silent = open.filter(isSilent);
	const count = (of: IDataObject[]) => (silent.length > 0 ? null : of.length);
	const isWaiting = (request: IDataObject) =>
		isSilent(request) || requirementsOf(request).length > 0;
	const newest = requests.filter(isNewest);
	// A rejection must not hide behind another product, and only a client with nothing else is enabled.
	const deciding =
		newest.find(isRejected) ?? newest.find(({ status }) => status !== 'enabled') ?? newest[0];
	return {
		summary: linesOf(requirements, silent) || standing(client, newest),
		client_id: client,
		status: deciding?.status ?? null,
		product: deciding?.product ?? null,
		product_request_id: deciding?.id ?? null,
		rejection_code: deciding?.rejection_code ?? null,
		rejection_description: deciding?.rejection_description ?? null,
		count: count(requirements),
		required_count: count(requirements.filter(({ required }) => required === true)),
		waiting_days: waitingDays(open.filter(isWaiting)),
		// Last field, because n8n's table shows the whole list in one cell.
		requirements,
	};
}

/** Missing requirements of a product request (§2.3). */
function requirementsOf(request: IDataObject): IDataObject[] {
	const { product, id: key, missing_requirements: missing } = request;
	const { documents, data } = isObject(missing) ? missing : {};
	const item = (kind: string, own: IDataObject, needs: IDataObject): IDataObject => ({
		product: product ?? null,
		product_request_id: key ?? null,
		kind,
		id: own.id ?? null,
		name: own.name ?? null,
		description: own.description ?? null,
		required: own.required ?? null,
		...needs,
	});
	return [
		...objectsIn(documents).map((own) =>
			item('document', own, { accepted: objectsIn(own.valid_documents) }),
		),
		...objectsIn(data).map((own) => item('data', own, { fields: objectsIn(own.fields) })),
	];
}

const isRejected = ({ status }: IDataObject) => status === 'rejected';

/** True for the newest request of a product. The list is newest first (§4.3), and what came before is history. */
const isNewest = ({ product }: IDataObject, at: number, all: IDataObject[]) =>
	all.findIndex((other) => other.product === product) === at;

/** A line for each requirement, for the client. Empty if nothing is missing. */
function linesOf(requirements: IDataObject[], silent: IDataObject[]): string {
	const unsaid = ({ product }: IDataObject) =>
		`• ${harmless(inWords(product), 80)}: the service did not say what is missing`;
	return [...requirements.map(lineOf), ...silent.map(unsaid)].join('\n');
}

/** How a client stands from whom nothing is missing, e.g. "Client cl-0003: rejected, The image could not be read." */
function standing(client: string, newest: IDataObject[]): string {
	const states = newest.map((request) => {
		const { product, status, rejection_description: reason } = request;
		const state = isRejected(request)
			? ['rejected', reason].filter(Boolean).map(textOf).join(', ')
			: status === 'enabled'
				? 'enabled'
				: `nothing is missing (${inWords(status)})`;
		return newest.length === 1 ? state : `${inWords(product)} ${state}`;
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
