import type { KnownRefusal } from '../../operation';

export const unknownClient: KnownRefusal = {
	status: 404,
	message: 'The service does not know this client',
	fix: 'Check Client ID, and that the client belongs to the environment of the credential.',
};
