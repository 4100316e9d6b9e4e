import { once } from 'node:events';
import { connect } from 'node:net';

import { startSmtpStandIn } from './smtpStandIn.mts';

type StandIn = Awaited<ReturnType<typeof startSmtpStandIn>>;

let smtp: StandIn;
beforeEach(async () => void (smtp = await startSmtpStandIn()));
afterEach(async () => await smtp.close());

/** Sends the lines one after the other and returns the codes of the answers. */
async function converse(...lines: string[]): Promise<string[]> {
	const socket = connect(smtp.port, '127.0.0.1').setEncoding('utf8');
	const codes: string[] = [];
	for (const line of ['', ...lines]) {
		if (line) socket.write(`${line}\r\n`);
		const [answer] = (await once(socket, 'data')) as [string];
		codes.push(answer.trim().split('\n').at(-1)!.slice(0, 3));
	}
	socket.destroy();
	return codes;
}

const MAIL = [
	'From: n8n@example.com',
	'To: Ana <ana@example.com>',
	'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
	'Content-Type: multipart/alternative; boundary=b',
	'',
	'--b',
	'Content-Type: text/plain; charset=utf-8',
	'Content-Transfer-Encoding: quoted-printable',
	'',
	'F=C3=BCr dich',
	'--b',
	'Content-Type: text/html; charset=utf-8',
	'',
	'<p>Für dich</p>',
	'--b--',
	'.',
].join('\r\n');

describe('mail stand-in', () => {
	it('reads text and HTML of a mail', async () => {
		const start = ['EHLO here', 'MAIL FROM:<n8n@example.com>', 'RCPT TO:<ana@example.com>'];
		expect((await converse(...start, 'DATA', MAIL)).at(-1)).toBe('250');
		expect(smtp.mails).toMatchObject([
			{ to: 'ana@example.com', subject: 'Grüße', text: 'Für dich', html: '<p>Für dich</p>' },
		]);
	});

	it('refuses a recipient, and keeps no mail', async () => {
		smtp.refuse = (recipient) => recipient === 'ana@example.com';
		const codes = await converse(
			'EHLO here',
			'MAIL FROM:<n8n@example.com>',
			'RCPT TO:<ana@example.com>',
		);
		expect(codes.at(-1)).toBe('550');
		expect(smtp.mails).toEqual([]);
	});
});
