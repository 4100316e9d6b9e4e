/** @returns a function that returns the most processor time of one turn of the event loop, in milliseconds */
export function watchTurns(): () => number {
	let longest = 0;
	let last = process.cpuUsage();
	const look = () => {
		const { user, system } = process.cpuUsage(last);
		last = process.cpuUsage();
		longest = Math.max(longest, (user + system) / 1_000);
		next = setImmediate(look);
	};
	let next = setImmediate(look);
	return () => {
		clearImmediate(next);
		return longest;
	};
}
