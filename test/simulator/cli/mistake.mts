/** Wrong input on the command line; the message says what and how to put it right. */
export class UsageMistake extends Error {}

/** A whole number within the limits, or the fallback when the option was not given. @throws UsageMistake */
export function wholeNumber(
	name: string,
	text: string | undefined,
	fallback: number,
	least: number,
	most: number,
): number {
	if (text === undefined) return fallback;
	const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
	if (!(value >= least && value <= most)) {
		throw new UsageMistake(
			`--${name} must be a whole number from ${least} to ${most}; it is "${text}".`,
		);
	}
	return value;
}

/** The URL to deliver to. @throws UsageMistake */
export function webhookUrl(name: string, text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw new UsageMistake(
			`--${name} must be a full URL such as http://127.0.0.1:5678/webhook/…; it is "${text}".`,
		);
	}
	return url.href;
}
