import { IMAGE } from '../../tools/start/operations.mts';
import { eventually } from '../n8n/executions.mts';
import { LINK } from './rows.mts';

/** n8n redirects each page to the next one, and does not answer a request for that while the execution runs. */
const answerOf = async (url: string, init: RequestInit = {}) =>
	await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(5_000) }).then(
		async (answer) => await answer.text(),
		() => '',
	);

export async function sendPage(url: string, fields: Array<string | Blob>): Promise<string> {
	const body = new FormData();
	fields.forEach((value, at) => body.append(`field-${at}`, value));
	return await answerOf(url, { method: 'POST', body });
}

/** Waits until the page shows one of the wanted texts and can be submitted. */
async function readPage(url: string, ...wanted: string[]): Promise<string> {
	await eventually(async () => ['form-waiting', 'success'].includes(await statusOf(url)));
	return await eventually(async () => {
		const text = await answerOf(url);
		return wanted.some((each) => text.includes(each)) && text;
	});
}

/** Status of the form's execution, which n8n's pages ask for before they open the next page. */
async function statusOf(url: string): Promise<string> {
	const status = new URL(url);
	status.pathname += '/n8n-execution-status';
	return (await answerOf(status.href)).trim();
}

/** Opens a form with the link of a mail, as a browser does. @returns the URL of the following pages */
async function openForm(form: string, link: string): Promise<string> {
	// Just after its workflow was published, n8n answers with a page that says 404.
	const started = await eventually(async () => {
		const text = await sendPage(form, [link]);
		return text.startsWith('{') && text;
	});
	const { formWaitingUrl } = JSON.parse(started) as { formWaitingUrl: string };
	return formWaitingUrl.replace(/^http:\/\/[^/]+/, new URL(form).origin);
}

/** Pages that end the form of *KYC upload*. */
export const HAVE_IT = 'We have your document.';
export const COULD_NOT = 'We could not take a document, or are not sure that we have it.';

export const image = (marker = '') =>
	new File([Buffer.concat([Buffer.from(IMAGE, 'base64'), Buffer.from(marker)])], 'passport.png', {
		type: 'image/png',
	});

export const PASSPORT = 'Passport · cards_individuals';

export interface Upload {
	link?: string;
	document?: string;
	details?: string[];
	front?: File;
	/** Whether the document was sent before, and not taken. */
	again?: 'Yes' | 'No';
}

/** Sends a document by the form, as a client does, as far as there are pages. @returns the last page */
export async function upload(form: string, given: Upload = {}): Promise<string> {
	const { link = LINK, document = PASSPORT, details = ['X1234567'] } = given;
	const url = await openForm(form, link);
	const pages: Array<[title: string, fields: Array<string | Blob>]> = [
		['Which document do you send?', [document, given.again ?? 'No']],
		['Fill in what is asked here', details],
		['Front image', [given.front ?? image(), '']],
	];
	for (const [title, fields] of pages) {
		if (!(await readPage(url, title, COULD_NOT)).includes(title)) break;
		await sendPage(url, fields);
	}
	const last = await readPage(url, HAVE_IT, COULD_NOT);
	// It notifies n8n, which then continues the execution (n8n 2.41).
	await answerOf(url, { method: 'POST' });
	return last;
}
