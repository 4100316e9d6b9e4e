import { checkAddress } from '../service/address';
import { InvalidFieldError } from './invalidField';
import { isEmpty, missing, type Field } from './field';

/** A recipient's wallet address, checked strictly: a transfer on a chain cannot be corrected. */
export function address(displayName: string, description: string): Field<string> {
	return {
		property: (name) => ({
			displayName,
			name,
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
			description,
		}),
		read: (source, name) => {
			const value = source.get(name);
			if (isEmpty(value)) throw missing(source, name, displayName, `Enter the ${displayName}.`);
			const reason = typeof value === 'string' ? checkAddress(value) : 'is not a string';
			if (typeof value === 'string' && reason === undefined) return value;
			throw new InvalidFieldError(
				displayName,
				reason ?? 'is not a string',
				'Copy the address again from its source.',
			);
		},
	};
}
