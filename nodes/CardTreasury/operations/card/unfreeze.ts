import { setFrozen } from './freeze';

export const unfreeze = setFrozen(false, {
	name: 'Unfreeze',
	action: 'Unfreeze card',
	description: 'Let a frozen individual card authorize transactions again',
	searchHint: 'unlock a frozen card; a card that a velocity rule blocked needs Unblock instead',
});
