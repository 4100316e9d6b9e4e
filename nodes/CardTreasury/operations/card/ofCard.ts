import { shortened } from '../../../shared/plainLine';

/** Names the card at the end of a phrase. */
export const ofCard = (id: string | null | undefined): string =>
	id ? ` of card ${shortened(id, 60)}` : ' of a card';
