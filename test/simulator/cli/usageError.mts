export class UsageError extends Error {}

/** Parses a whole number within the limits; undefined if the option is not set. @throws UsageError */
export function wholeNumber(name: string, text: string | undefined, min: number, max: number) {
	if (text === undefined) return undefined;
	const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
	if (value >= min && value <= max) return value;
	throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}

/** Parses the URL to deliver to. @throws UsageError */
export function webhookUrl(name: string, text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url && ['http:', 'https:'].includes(url.protocol)) return url.href;
	throw new UsageError(
		`--${name} must be a full URL such as http://127.0.0.1:5678/webhook/…, not "${text}".`,
	);
}
