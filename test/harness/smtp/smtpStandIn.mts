import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

import { listen } from '../../simulator/listen.mts';

export interface Mail {
	to: string;
	subject: string;
	text: string;
	html?: string;
	attachments?: string[];
	at: string;
}

export const smtpCredential = ({ port }: { port: number }) => ({
	host: '127.0.0.1',
	port,
	secure: false,
	disableStartTls: true,
	user: '',
	password: '',
	hostName: '',
});

/** Stand-in for a mail server: accepts the mails of n8n's own Send Email node and delivers nothing. */
export async function startSmtpStandIn({ port: wanted = 0 } = {}) {
	const smtp = new SMTPServer({
		disabledCommands: ['STARTTLS', 'AUTH'],
		// Connections of an n8n that was killed never end.
		closeTimeout: 1,
		onRcptTo({ address }, _session, callback) {
			callback(standIn.refuse(address) ? new Error('no such mailbox') : null);
		},
		onData(stream, { envelope }, callback) {
			simpleParser(stream, { skipTextToHtml: true }).then(
				({ subject = '', text = '', html, attachments }) => {
					standIn.mails.push({
						to: envelope.rcptTo.map(({ address }) => address).join(', '),
						subject,
						text,
						...(html && { html }),
						attachments: attachments.map(({ content }) => content.toString()),
						at: new Date().toISOString(),
					});
					callback();
				},
				(error: Error) => callback(error),
			);
		},
	});
	// A client that is killed breaks its connection.
	smtp.on('error', () => undefined);
	const { port } = await listen(smtp.server, wanted);
	const standIn = {
		port,
		mails: new Array<Mail>(),
		refuse: (_recipient: string): boolean => false,
		close: async () => await new Promise<void>((resolve) => smtp.close(resolve)),
	};
	return standIn;
}
