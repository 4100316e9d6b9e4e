/** A door that stays shut until it is opened. */
export function door() {
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
