import { canonicalDecimal, compareDecimals, MAX_LENGTH } from '../../shared/decimal';
import { Problem } from '../../shared/problem';
import { quote, textOf } from '../../shared/text';
import { againstAddress } from './address';
import { required, type Field, type Refuse, type Ui } from './field';
import { isEmpty } from './values';

/** Digits of a transfer's amount (§8). A JSON number holds all fifteen exactly. */
export const SENT = { whole: 9, decimals: 6 } as const;

interface AmountRule {
	/** Most digits before and after the point. By default any number. */
	digits?: { whole: number; decimals: number };
	mayBeZero?: true;
	/** True if it is sent as a JSON number, which must be of the same value. */
	isNumber?: true;
}

/** Amount as exact text, without needless zeros. Never computed with as a floating-point number. */
export function amount(label: string, info: Ui & AmountRule): Field<string> {
	const { digits, mayBeZero, isNumber, ...ui } = info;
	return required(label, { placeholder: 'e.g. 1000.50', ...ui }, (value, refuse) => {
		const text = textOf(value).trim();
		if (text.length > MAX_LENGTH || !/^(?:\d+\.?\d*|\.\d+)$/.test(text))
			return refuse(`is ${quote(text)}`, 'Use digits and at most one point, e.g. 1000.50.');
		const exact = canonicalDecimal(text);
		if (!mayBeZero && compareDecimals(exact, '0') === 0)
			return refuse('must be above 0', 'Check where the amount comes from.');
		const [whole = '', decimals = ''] = exact.split('.');
		if (digits && (whole.length > digits.whole || decimals.length > digits.decimals))
			return refuse(
				`is ${quote(text)}, which has too many digits`,
				`Use at most ${digits.whole} digits before and ${digits.decimals} after the point: round it with .toFixed(${digits.decimals}).`,
			);
		return isNumber && textOf(Number(exact)) !== exact
			? refuse(`is ${quote(text)}, which no JSON number holds exactly`, 'Use fewer digits.')
			: exact;
	});
}

/** @throws Problem if an amount is above the maximum that the user allows */
export function refuseAbove(maximum: string | undefined, due: string): void {
	if (maximum === undefined || compareDecimals(due, maximum) <= 0) return;
	throw new Problem(
		`Amount is ${due}, above the Maximum Amount of ${maximum}`,
		'Check where the amount comes from. Raise Maximum Amount only if it is intended.',
	);
}

/** Wallet address. Checked strictly, because a transfer on a blockchain cannot be reversed. */
export function address(label: string, description: string): Field<string> {
	const placeholder = 'e.g. 0x5aAeb6053F3E94C9…';
	return required(label, { placeholder, description }, (value, refuse) =>
		readAddress(textOf(value).trim(), refuse),
	);
}

/** Addresses in a text with commas, semicolons or line breaks, or in a list. Never empty. */
export function addresses(label: string, description: string): Field<string[]> {
	const ui: Ui = { typeOptions: { rows: 3 }, placeholder: 'e.g. 0x5aAeb6053F3E94C9…', description };
	const parse = (value: unknown, refuse: Refuse) => {
		const list: unknown[] = Array.isArray(value) ? value : textOf(value).split(/[,;\n]/);
		const texts = list.map((entry) => textOf(entry).trim()).filter((entry) => !isEmpty(entry));
		return texts.length === 0
			? refuse('is empty', 'Enter an address.')
			: texts.map((text) =>
					readAddress(text, (reason, fix) => refuse(`${quote(text)} ${reason}`, fix)),
				);
	};
	return required(label, ui, parse, { takesAny: true });
}

function readAddress(text: string, refuse: Refuse): string {
	const reason = againstAddress(text);
	return reason ? refuse(...reason) : text;
}
