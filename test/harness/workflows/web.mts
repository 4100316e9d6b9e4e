import { createServer } from 'node:http';

import { listen } from '../../simulator/listen.mts';

/** Paths of what the workflows open, by the node that does. */
export const WEB_PATHS: Record<string, string> = {
	'Upload form': '/form/',
	'Latest run': '/api/v1',
	Knock: '/webhook/',
	'Ping the monitor': '/monitor',
};

/**
 * Stand-in for what the workflows open in the web: the form of *KYC upload*, a published trigger, an outside monitor, and
 * n8n's API, whose calls it hands on.
 */
export async function startWebStandIn() {
	const server = createServer(({ url: path = '', headers }, response) => {
		if (web.refuse(path)) return void response.destroy();
		web.opened.push(path);
		if (!path.startsWith(WEB_PATHS['Latest run']!)) {
			response.statusCode = path.startsWith(WEB_PATHS.Knock!) ? 401 : 200;
			return void response.end('<html></html>');
		}
		const key = { 'x-n8n-api-key': String(headers['x-n8n-api-key']) };
		fetch(web.n8n + path, { headers: key }).then(
			async (answer) => {
				response.writeHead(answer.status, { 'content-type': 'application/json' });
				response.end(await answer.text());
			},
			() => response.destroy(),
		);
	});
	const { url, close } = await listen(server);
	const web = {
		url,
		form: `${url}/form/kyc-document`,
		n8n: '',
		opened: new Array<string>(),
		refuse: (_path: string) => false as boolean,
		close,
	};
	return web;
}
