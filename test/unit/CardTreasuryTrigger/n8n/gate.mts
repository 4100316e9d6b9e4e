/** Holds up whoever passes until it is opened. */
export function gate() {
	let open: () => void = () => undefined;
	let knocked = false;
	const opened = new Promise<void>((resolve) => (open = resolve));
	return {
		open,
		knocked: () => knocked,
		async pass() {
			knocked = true;
			await opened;
		},
	};
}
