import { pairs } from '../../../shared/fields/pairs';

/** Header that selects version 2. Version 1 is the service's default (§9.2). */
export const VERSION_2 = { 'X-API-Version': '2' };

export const queryParameters = pairs(
	'Query Parameters',
	"Parameters from your provider's API reference that this node does not offer, for example for paging",
);

/** Advice on a 412 in version 2: the card may not be an enterprise card (§7.2, §9.4). */
export const NOT_ENTERPRISE = 'For an individual card, download a statement instead.';
