import lodash from 'lodash';

import { SETTINGS, type Settings } from '../settings.mts';
import type { CommandOptions } from './command.mts';
import { table } from './table.mts';
import { UsageError, wholeNumber } from './usageError.mts';

/** Flags of the settings, for `parseArgs`. */
export const SETTING_OPTIONS = Object.fromEntries(
	Object.values(SETTINGS).map(({ flag, placeholder }) => [
		flag,
		{ type: placeholder === undefined ? ('boolean' as const) : ('string' as const) },
	]),
);

/** @throws UsageError */
export function givenSettings(options: CommandOptions): Partial<Settings> {
	const flags = lodash.pickBy(SETTINGS, ({ flag }) => options[flag] !== undefined);
	return lodash.mapValues(flags, ({ flag, initial, max = 0, values = [] }) => {
		if (typeof initial === 'boolean') return !initial;
		const text = String(options[flag]);
		if (typeof initial === 'number') return wholeNumber(flag, text, initial, 0, max);
		if (values.includes(text)) return text;
		throw new UsageError(`--${flag} must be one of ${values.join(', ')}, not "${text}".`);
	}) as Partial<Settings>;
}

export const settingHelp = () =>
	table(
		Object.values(SETTINGS).map(({ flag, placeholder, help, initial }) =>
			placeholder === undefined
				? [`  --${flag}`, help]
				: [`  --${flag} ${placeholder}`, `${help}; default ${initial}`],
		),
	);
