import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/isObject';
import { Problem } from '../../../shared/problem';
import { harmless, textOf } from '../../../shared/text';
import { operation } from '../operation';
import { objectOf, objectsIn } from '../reply';
import { clientId, inWords, listPath, nameOf, takesDocuments, unknownClient } from './request';

export const getMissingRequirements = operation({
	name: 'Get Missing Requirements',
	action: 'Get missing requirements of client',
	description: "List the documents and data that are still missing for a client's KYC",
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
	return {
		summary: summaryOf(client, requirements, silent),
		client_id: client,
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

/** A line for each requirement, for the client. */
function summaryOf(client: string, requirements: IDataObject[], silent: IDataObject[]): string {
	const unsaid = ({ product }: IDataObject) =>
		`• ${harmless(inWords(product), 80)}: the service did not say what is missing`;
	const lines = [...requirements.map(lineOf), ...silent.map(unsaid)];
	return lines.join('\n') || `Client ${harmless(client, 80)}: nothing is missing.`;
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
