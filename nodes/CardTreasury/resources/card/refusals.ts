import type { KnownRefusal } from '../../operation';

export const unknownCard: KnownRefusal = {
	status: 404,
	message: 'The service does not know this card',
	fix: 'Check Card ID, and that the card belongs to the environment of the credential.',
};
