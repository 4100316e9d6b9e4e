import { id } from '../../fields/values';

export const individualCard = id('Card ID', 'e.g. crd_123', 'ID of an individual card');
