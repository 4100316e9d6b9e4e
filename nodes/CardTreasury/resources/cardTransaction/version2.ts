import { pairs } from '../../fields/pairs';
import type { KnownError } from '../../request';

/** §9.2: version 1 is the default until it is removed. */
export const VERSION_2 = { 'X-API-Version': '2' };

export const queryParameters = pairs(
	'Query Parameters',
	"Parameters from your provider's API reference that this node does not offer, for example for paging",
);

/** §7.2: why version 2 refuses. */
export const notInVersion2: KnownError = {
	status: 412,
	message: 'The card is not an enterprise card, or a transaction type is not available',
	fix: 'For an individual card, download a statement instead. Several Transaction Types are sent as one comma-separated parameter; if your provider\'s API reference shows another form, leave Transaction Types empty and add "operations" under Query Parameters in the options.',
};
