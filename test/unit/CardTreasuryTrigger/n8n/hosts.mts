import { startHost, type Host, type HostOptions } from './host.mts';

/** Starts hosts that are closed after the test. Call it once per file, outside of tests. */
export function useHosts() {
	let hosts: Host[] = [];
	const start = async (options: HostOptions) => {
		const host = await startHost(options);
		hosts.push(host);
		return host;
	};
	const listening = async (events: string[], more: Partial<HostOptions> = {}) =>
		await start({ parameters: { events }, ...more });
	afterEach(async () => {
		await Promise.all(hosts.map(async (host) => await host.close()));
		hosts = [];
	});
	return { start, listening };
}
