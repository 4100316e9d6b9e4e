import { eventually } from '../n8n/scenario.mts';

/** n8n 2.41 serves neither pages nor uploads while the execution runs, so this retries. */
const answerOf = async (url: string, init: RequestInit = {}) =>
	await fetch(url, { ...init, signal: AbortSignal.timeout(5_000) }).then(
		async (answer) => await answer.text(),
		() => '',
	);

/** Submits a page of an n8n form, with its fields in order. */
export async function sendPage(url: string, fields: Array<string | Blob>): Promise<string> {
	const body = new FormData();
	fields.forEach((value, at) => body.append(`field-${at}`, value));
	return await answerOf(url, { method: 'POST', body });
}

/** Waits until the page shows the wanted text. */
export const readPage = async (url: string, wanted: string): Promise<string> =>
	await eventually(async () => {
		const text = await answerOf(url);
		return text.includes(wanted) && text;
	});

/** Opens the last page. It notifies n8n, which then continues the execution (n8n 2.41). */
export async function lastPage(url: string, wanted: string): Promise<string> {
	const text = await readPage(url, wanted);
	await answerOf(url, { method: 'POST' });
	return text;
}

/** Opens a form with the query of a link, as a browser does. @returns the URL of the following pages */
export async function openForm(base: string, link: string): Promise<string> {
	const { pathname, searchParams } = new URL(link);
	const started = await sendPage(`${base}${pathname}`, [...searchParams.values()]);
	const { formWaitingUrl } = JSON.parse(started) as { formWaitingUrl: string };
	return formWaitingUrl.replace(/^http:\/\/[^/]+/, base);
}
