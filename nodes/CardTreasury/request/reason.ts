import { isObject } from '../../shared/isObject';
import { shortened } from '../../shared/plainLine';

/** Names of the fields in which services give a reason, the most telling first, without `_`, `-` and letter case. */
const REASONS = [
	/message$/,
	/reason$/,
	/^errors?$/,
	/description$/,
	/^details?$/,
	/^title$/,
	/^warnings?$/,
	/^fault(?:string)?$/,
];

/** Names of the fields that say what a reason is about, in an entry of a list of errors. */
const ABOUT = /^(?:field|property|param|path|key)$/;

/** Names of the fields in which services put what they reply. */
const WRAPPERS = /^(?:data|result|response|body|transaction|transfer)$/;

const DEEPEST = 4;

/** 500 characters hold a list of operations (§7.3), but not a whole page. */
const LONGEST = 500;

/**
 * Reason in a JSON reply, wherever it is: at the top level, in an object or in a list.
 * @returns undefined if the reply has none
 */
export function reasonIn(json: unknown): string | undefined {
	const [reason, ...others] = reasonsIn(json, 0, false);
	if (reason === undefined) return undefined;
	const details = others.filter((other) => !reason.includes(other));
	return shortened([reason, ...new Set(details)].join('; '), LONGEST);
}

/** @param isReason true inside a field of a reason, where each text is one */
function reasonsIn(value: unknown, depth: number, isReason: boolean): string[] {
	if (typeof value === 'string') return isReason && value.trim() !== '' ? [value.trim()] : [];
	if (depth > DEEPEST) return [];
	if (Array.isArray(value))
		return value.slice(0, 3).flatMap((entry) => reasonsIn(entry, depth + 1, isReason));
	if (!isObject(value)) return [];
	const fields = Object.entries(value).map(
		([name, entry]) => [name.replace(/[_-]/g, '').toLowerCase(), entry, name] as const,
	);
	const texts = REASONS.flatMap((pattern) =>
		fields
			.filter(([name]) => pattern.test(name))
			.flatMap(([, entry]) => reasonsIn(entry, depth + 1, true)),
	);
	if (texts.length > 0) {
		const about = fields.find(([name, entry]) => ABOUT.test(name) && typeof entry === 'string');
		return about && isReason ? texts.map((text) => `${String(about[1])}: ${text}`) : texts;
	}
	// An object of errors is keyed by what they are about, e.g. `{ amount: ["too low"] }`.
	if (isReason)
		return fields.flatMap(([, entry, name]) =>
			reasonsIn(entry, depth + 1, true).map((text) => `${name}: ${text}`),
		);
	return fields
		.filter(([name]) => WRAPPERS.test(name))
		.flatMap(([, entry]) => reasonsIn(entry, depth + 1, false));
}

/** Transaction hash (§2.6) in a JSON reply, wherever it is. */
export function hashIn(json: unknown, depth = 0): string | undefined {
	if (typeof json !== 'object' || json === null || depth > DEEPEST) return undefined;
	const { transaction_hash: hash } = json as { transaction_hash?: unknown };
	if (typeof hash === 'string' && hash !== '') return hash;
	for (const entry of Object.values(json)) {
		const found = hashIn(entry, depth + 1);
		if (found !== undefined) return found;
	}
	return undefined;
}
