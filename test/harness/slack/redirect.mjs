// Loaded into n8n with `--import`: redirects requests for slack.com to the stand-in on this machine, because the address
// of n8n's own Slack node is fixed. Plain JavaScript, because n8n's Node loads it.
import { promises as dns } from 'node:dns';
import http from 'node:http';
import https from 'node:https';

const standIn = process.env.SLACK_STAND_IN_URL;

if (standIn) {
	const { hostname, port } = new URL(standIn);
	const request = https.request;
	https.request = (...args) => {
		const options =
			args.find((argument) => typeof argument === 'object' && !(argument instanceof URL)) ?? {};
		const url =
			typeof args[0] === 'string' || args[0] instanceof URL ? new URL(args[0]) : undefined;
		if ((url?.hostname ?? options.hostname ?? options.host) !== 'slack.com')
			return request(...args);
		const path = url ? url.pathname + url.search : options.path;
		const callback = args.find((argument) => typeof argument === 'function');
		const { method, headers } = options;
		return http.request({ hostname, port, path, method, headers }, callback);
	};

	// n8n's SSRF protection looks the name up before the request.
	const lookup = dns.lookup;
	dns.lookup = async (name, options) =>
		await lookup(name === 'slack.com' ? hostname : name, options);
}
