import { SETTING_NAMES, SETTINGS, type Settings } from '../settings.mts';
import type { CommandOptions } from './command.mts';
import { UsageError } from './usageError.mts';

/** Flags of the settings, for `parseArgs`. */
export const SETTING_OPTIONS = Object.fromEntries(
	SETTING_NAMES.map((name) => {
		const { flag, placeholder } = setting(name);
		return [flag, { type: placeholder === undefined ? ('boolean' as const) : ('string' as const) }];
	}),
);

export function givenSettings(options: CommandOptions): Partial<Settings> {
	const given: Record<string, unknown> = {};
	for (const name of SETTING_NAMES) {
		const { flag, initial, schema } = setting(name);
		const text = options[flag];
		if (text === undefined) continue;
		const value = schema.safeParse(valueOf(text, initial));
		if (!value.success) throw new UsageError(`--${flag} ${expectation(name)}, not "${text}".`);
		given[name] = value.data;
	}
	return given;
}

/** Columns of the help text: start and width of the explanations. */
const INDENT = 33;
const WIDTH = 78;

export const settingHelp = () =>
	SETTING_NAMES.map((name) => {
		const { flag, placeholder, help, initial } = setting(name);
		const usage = `    --${flag}${placeholder === undefined ? '' : ` ${placeholder}`} `;
		const text = wrap(placeholder === undefined ? help : `${help}; default ${initial}`);
		return usage.length > INDENT ? `${usage.trimEnd()}\n${text}` : usage + text.slice(usage.length);
	}).join('\n');

export function wrap(text: string): string {
	const lines = text.match(new RegExp(`.{1,${WIDTH}}(?: |$)`, 'g')) ?? [];
	return lines.map((line) => ' '.repeat(INDENT) + line.trimEnd()).join('\n');
}

function valueOf(text: unknown, initial: Settings[keyof Settings]): unknown {
	if (typeof initial === 'boolean') return !initial;
	if (typeof initial === 'number') return /^\d{1,9}$/.test(String(text)) ? Number(text) : undefined;
	return text;
}

function expectation(name: keyof Settings): string {
	const { initial, placeholder, max } = setting(name);
	if (typeof initial !== 'number') return `must be one of ${placeholder?.split('|').join(', ')}`;
	return `must be a whole number from 0 to ${max}`;
}

/** Returns a setting regardless of its value type. */
function setting(name: keyof Settings) {
	return SETTINGS[name];
}
