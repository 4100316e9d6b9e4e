import { setFrozen } from './setFrozen';

export const unfreeze = setFrozen(false, {
	value: 'unfreeze',
	displayName: 'Unfreeze',
	action: 'Unfreeze card',
	description: 'Let a frozen card authorize transactions again',
});
