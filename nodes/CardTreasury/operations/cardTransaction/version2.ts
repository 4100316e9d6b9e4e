import { pairs } from '../../../shared/fields/pairs';

/** §9.2: version 1 is the default until it is removed. */
export const VERSION_2 = { 'X-API-Version': '2' };

export const queryParameters = pairs(
	'Query Parameters',
	"Parameters from your provider's API reference that this node does not offer, for example for paging",
);

/** §7.2, §9.4: what a 412 can mean in version 2. */
export const NOT_ENTERPRISE = 'For an individual card, download a statement instead.';
