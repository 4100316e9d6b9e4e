import { eventually } from '../n8n/scenario.mts';

/** n8n redirects each page to the next one, and does not answer a request for that while the execution runs. */
const answerOf = async (url: string, init: RequestInit = {}) =>
	await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(5_000) }).then(
		async (answer) => await answer.text(),
		() => '',
	);

/** Submits a page of an n8n form, with its fields in order. */
export async function sendPage(url: string, fields: Array<string | Blob>): Promise<string> {
	const body = new FormData();
	fields.forEach((value, at) => body.append(`field-${at}`, value));
	return await answerOf(url, { method: 'POST', body });
}

/** Waits until the page shows the wanted text and can be submitted. */
export async function readPage(url: string, wanted: string): Promise<string> {
	await eventually(async () => ['form-waiting', 'success'].includes(await statusOf(url)));
	return await eventually(async () => {
		const text = await answerOf(url);
		return text.includes(wanted) && text;
	});
}

/** Status of the form's execution, which n8n's pages ask for before they open the next page. */
async function statusOf(url: string): Promise<string> {
	const status = new URL(url);
	status.pathname += '/n8n-execution-status';
	return (await answerOf(status.href)).trim();
}

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
