import lodash from 'lodash';

import { UsageError } from './usageError.mts';

/** Change of one field: `data.amount=5` (text) or `data.amount:=5` (JSON). */
export interface Setting {
	path: string[];
	text: string;
	json: boolean;
}

const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

/** @throws UsageError */
export function parseSetting(argument: string): Setting {
	const match = /^([^=:]+)(:?=)(.*)$/s.exec(argument);
	if (!match)
		throw new UsageError(
			`--set needs PATH=TEXT or PATH:=JSON, e.g. data.amount=5, not "${argument}".`,
		);
	const path = match[1]!.split('.');
	if (path.some((name) => name === '' || FORBIDDEN.includes(name))) {
		throw new UsageError(`--set cannot change the path "${match[1]}".`);
	}
	return { path, text: match[3]!, json: match[2] === ':=' };
}

/** Applies the settings to a copy and creates what is missing on the path. @throws UsageError */
export function applySettings<T extends object>(target: T, settings: Setting[]): T {
	const changed = structuredClone(target);
	for (const setting of settings)
		lodash.set(changed, setting.path, valueOf(setting, lodash.get(changed, setting.path)));
	return changed;
}

/** Events write amounts as strings (§1.3), so a value is text unless the field held a number or a boolean. */
function valueOf({ path, text, json }: Setting, current: unknown): unknown {
	if (!json && typeof current !== 'number' && typeof current !== 'boolean') return text;
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new UsageError(
			`${path.join('.')} must be ${json ? 'JSON' : `a ${typeof current}`}, not "${text}".`,
		);
	}
	if (!json && typeof value !== typeof current) {
		throw new UsageError(
			`${path.join('.')} must be a ${typeof current}, not "${text}". Use := for another type.`,
		);
	}
	return value;
}
