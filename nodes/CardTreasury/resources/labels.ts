/** A documented value as a person writes it; one that is not documented as it came. */
export function labelOf(
	labels: ReadonlyArray<{ name: string; value: string }>,
	value: unknown,
): string {
	return labels.find((label) => label.value === value)?.name ?? String(value);
}
