import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';

const PAGE = join(import.meta.dirname, 'page');
const STYLES = createRequire(import.meta.url).resolve('@picocss/pico/css/pico.min.css');
const FILES = [...readdirSync(PAGE).map((name) => join(PAGE, name)), STYLES];
const TYPES: Record<string, string> = { '.html': 'html', '.css': 'css', '.js': 'javascript' };

/** Nothing from another host, and no other page may show this one. Emails have styles of their own. */
const POLICY =
	"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page on which a person sees and controls the simulated service. */
export const consoleRoutes: FastifyPluginCallback = (app, _options, done) => {
	app.addHook('onRequest', guard);
	for (const file of FILES) {
		const name = basename(file);
		app.get(name === 'index.html' ? '/' : `/_console/${name}`, async (_request, reply) => {
			reply.headers({
				'content-type': `text/${TYPES[extname(name)]}; charset=utf-8`,
				'content-security-policy': POLICY,
				'x-content-type-options': 'nosniff',
				'referrer-policy': 'no-referrer',
				'cache-control': 'no-store',
			});
			return await readFile(file, 'utf8');
		});
	}
	done();
};

/**
 * Refuses requests that name another host (a name that resolves to this machine) or come from another origin, so that no
 * web page elsewhere can press buttons here.
 */
export function guard(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
	const { host = '', origin } = request.headers;
	const port = request.socket.localPort;
	const isHere = ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port}`);
	if (isHere && (origin === undefined || origin === `http://${host}`)) return next();
	void reply
		.code(403)
		.send({ code: 'FORBIDDEN', message: 'Only the page of this simulator may do this' });
}
