/** @throws Error that shows both when they are not the same JSON */
export function expectEqual(found: unknown, wanted: unknown): void {
	const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
	if (left !== right) throw new Error(`expected ${right}, found ${left}`);
}
