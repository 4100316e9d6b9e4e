import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Starts a server on the loopback interface. @throws if the port is taken */
export async function listen(server: HttpServer | Server, wanted = 0) {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(wanted, '127.0.0.1', resolve);
	});
	const { port } = server.address() as AddressInfo;
	/** Closes its open connections, too. */
	const close = async () => {
		const closed = new Promise((resolve) => server.close(resolve));
		if ('closeAllConnections' in server) server.closeAllConnections();
		await closed;
	};
	return { port, url: `http://127.0.0.1:${port}`, close };
}
