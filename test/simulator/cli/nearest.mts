/** Returns the names most similar to a mistyped one, best first: those that contain it, then those with the fewest edits. */
export function nearest(text: string, names: readonly string[], max = 3): string[] {
	const wanted = text.toLowerCase();
	// Part of a name, such as the event type without its product, is compared with that part.
	const distance = (name: string) =>
		name.includes(wanted)
			? 0
			: Math.min(edits(wanted, name), ...name.split('.').map((part) => edits(wanted, part) + 1));
	return [...names].sort((left, right) => distance(left) - distance(right)).slice(0, max);
}

function edits(left: string, right: string): number {
	let above = Array.from({ length: right.length + 1 }, (_, column) => column);
	for (let row = 1; row <= left.length; row++) {
		const current = [row];
		for (let column = 1; column <= right.length; column++) {
			const replaced = above[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
			current.push(Math.min(replaced, above[column]! + 1, current[column - 1]! + 1));
		}
		above = current;
	}
	return above[right.length]!;
}
