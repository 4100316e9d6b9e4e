import { eventually } from '../n8n/scenario.mts';

/** While the execution runs, n8n answers neither a page nor an upload (n8n 2.41): whoever waits asks again. */
const answerOf = async (url: string, init: RequestInit = {}) =>
	await fetch(url, { ...init, signal: AbortSignal.timeout(5_000) }).then(
		async (answer) => await answer.text(),
		() => '',
	);

/** Sends a page of a form of n8n, its fields in their order. */
export async function sendPage(url: string, fields: Array<string | Blob>): Promise<string> {
	const body = new FormData();
	fields.forEach((value, at) => body.append(`field-${at}`, value));
	return await answerOf(url, { method: 'POST', body });
}

/** The page, once it says what is wanted. */
export const readPage = async (url: string, wanted: string): Promise<string> =>
	await eventually(async () => {
		const text = await answerOf(url);
		return text.includes(wanted) && text;
	});

/** The last page. It tells n8n that it was shown, and only then the execution goes on (n8n 2.41). */
export async function lastPage(url: string, wanted: string): Promise<string> {
	const text = await readPage(url, wanted);
	await answerOf(url, { method: 'POST' });
	return text;
}

/** Opens a form with the query of a link, as a browser does; gives the URL of the pages that follow. */
export async function openForm(base: string, link: string): Promise<string> {
	const { pathname, searchParams } = new URL(link);
	const started = await sendPage(`${base}${pathname}`, [...searchParams.values()]);
	const { formWaitingUrl } = JSON.parse(started) as { formWaitingUrl: string };
	return formWaitingUrl.replace(/^http:\/\/[^/]+/, base);
}
