import { InvalidFieldError } from './invalidField';
import { checkDecimal, type DecimalRule } from '../service/decimal';
import { isEmpty, missing, type Field } from './field';

interface AmountInfo {
	rule?: DecimalRule;
	required?: boolean;
	placeholder?: string;
	description: string;
}

/** An amount as the exact text of a JSON number. */
export function amount(displayName: string, info: AmountInfo): Field<string> {
	const { rule = {}, required = true, placeholder = 'e.g. 1000.50', description } = info;
	return {
		property: (name) => ({
			displayName,
			name,
			type: 'string',
			default: '',
			...(required && { required }),
			placeholder,
			description,
		}),
		read: (source, name) => {
			const value = source.get(name);
			if (isEmpty(value)) {
				throw missing(source, name, displayName, 'Enter an amount, for example 1000.50.');
			}
			const check = checkDecimal(value, rule);
			if (check.ok) return check.text;
			throw new InvalidFieldError(displayName, check.reason, check.fix);
		},
	};
}
