/** Path, field and words of product requests (§2.2, §4.3), for several operations and their lists. */

import type { IDataObject } from 'n8n-workflow';

import { entryOf } from '../../../shared/isObject';
import { textOf } from '../../../shared/text';
import { id } from '../../fields/kinds';
import { isEmpty } from '../../fields/values';
import { path } from '../../service/request';
import { notFound } from '../operation';

/** Lists product requests (§4.3), for two operations and the lists of a third. */
export const listPath = (clientId: string) =>
	path`/management/clients/individuals/${clientId}/products`;

export const unknownClient = notFound('Client', 'Client ID');

export const clientId = id('Client ID', 'e.g. cl-0001', 'ID of an individual client');

/** Products (§2.2) and statuses (§3) in words. */
const LABELS: Record<string, string> = {
	cards_individuals: 'Cards for Individuals',
	ramps_cards: 'Ramps: Cards',
	ramps_pix: 'Ramps: Pix',
	enabled: 'Enabled',
	in_kyc: 'In KYC',
	pending_documentation: 'Pending Documentation',
	rejected: 'Rejected',
	requested: 'Requested',
};

export const inWords = (value: unknown): string =>
	entryOf(LABELS, textOf(value).toLowerCase()) ?? textOf(value);

export const statusOf = ({ status }: IDataObject): string => textOf(status).toLowerCase();

/** Name of a requirement or document type, or its ID. */
export const nameOf = ({ id: key, name }: IDataObject): string =>
	textOf(isEmpty(name) ? key : name);

/** Only in this status a request takes documents (§3), and must say what is missing (§2.2). */
export const takesDocuments = (request: IDataObject) =>
	statusOf(request) === 'pending_documentation';
