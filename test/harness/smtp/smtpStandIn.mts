import { createServer, type Socket } from 'node:net';

import { listen } from '../../simulator/listen.mts';

export interface Mail {
	to: string;
	subject: string;
	text: string;
}

/** `data` of an SMTP credential for the stand-in. */
export const smtpCredential = ({ port }: { port: number }) => ({
	host: '127.0.0.1',
	port,
	secure: false,
	disableStartTls: true,
	user: '',
	password: '',
	hostName: '',
});

/**
 * Stand-in for a mail server: accepts the mails of n8n's own Send Email node and delivers nothing.
 * @param onMail called for each mail
 */
export async function startSmtpStandIn(onMail: (mail: Mail) => void = () => undefined) {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => socket.destroy());
		const take = (mail: Mail) => {
			standIn.mails.push(mail);
			onMail(mail);
		};
		serve(socket, take, (recipient) => standIn.refuse(recipient));
	});
	const { port, close } = await listen(server);
	const standIn = {
		port,
		mails: new Array<Mail>(),
		/** True if a recipient's address is refused. */
		refuse: (_recipient: string): boolean => false,
		async close(): Promise<void> {
			for (const socket of sockets) socket.destroy();
			await close();
		},
	};
	return standIn;
}

/** Speaks the part of SMTP that a client without TLS and login needs. */
function serve(
	socket: Socket,
	take: (mail: Mail) => void,
	refuses: (recipient: string) => boolean,
): void {
	let received = '';
	let isData = false;
	socket.setEncoding('latin1');
	socket.write('220 stand-in\r\n');
	socket.on('data', (chunk: string) => {
		received += chunk;
		for (;;) {
			const end = isData ? '\r\n.\r\n' : '\r\n';
			const at = received.indexOf(end);
			if (at < 0) return;
			const part = received.slice(0, at);
			received = received.slice(at + end.length);
			if (isData) {
				isData = false;
				take(readMail(part));
				socket.write('250 taken\r\n');
				continue;
			}
			const verb = part.slice(0, 4).toUpperCase();
			if (verb === 'RCPT' && refuses(/<(.*)>/.exec(part)?.[1] ?? '')) {
				socket.write('550 no such mailbox\r\n');
				continue;
			}
			isData = verb === 'DATA';
			if (verb === 'QUIT') return void socket.end('221 bye\r\n');
			socket.write(isData ? '354 go on\r\n' : '250 ok\r\n');
		}
	});
}

function readMail(source: string): Mail {
	const at = source.indexOf('\r\n\r\n');
	// A line that begins with a space continues the header before it.
	const headers = source.slice(0, at).replace(/\r\n[ \t]+/g, ' ');
	const header = (name: string) =>
		new RegExp(`^${name}: *(.*)$`, 'im').exec(headers)?.[1]?.trim() ?? '';
	const body = source.slice(at + 4).replace(/\r\n\.\./g, '\r\n.');
	return {
		to: header('To'),
		subject: header('Subject'),
		text: decoded(body, header('Content-Transfer-Encoding').toLowerCase()).replace(/\r\n/g, '\n'),
	};
}

function decoded(body: string, encoding: string): string {
	if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
	if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8');
	const bytes = body
		.replace(/=\r\n/g, '')
		.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1').toString('utf8');
}
