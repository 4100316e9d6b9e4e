import { setFrozen } from './setFrozen';

export const freeze = setFrozen(true, {
	value: 'freeze',
	displayName: 'Freeze',
	action: 'Freeze card',
	description: 'Lock a card so that it cannot authorize transactions',
});
