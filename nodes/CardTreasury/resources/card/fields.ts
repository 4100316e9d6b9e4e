import { id } from '../../../fields/texts';

export const individualCard = id('Card ID', 'e.g. card-0001', 'ID of an individual card');
