// A wait that lost its race, such as the deadline of a database call, goes on after the test. The package cannot cancel
// it, because n8n Cloud allows no timers of its own. Unreferenced, it does not keep jest from exiting.
const start = globalThis.setTimeout;
globalThis.setTimeout = Object.assign(
	(...given: Parameters<typeof start>) => start(...given).unref(),
	start,
);
