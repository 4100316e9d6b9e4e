import { createServer } from 'node:http';

import { listen } from '../../simulator/listen.mts';

/** Stand-in for the form of *KYC upload*, which *KYC reminders* opens before it mails its address. */
export async function startFormStandIn() {
	const server = createServer((_, response) => {
		response.statusCode = form.refuse() ? 404 : 200;
		response.end('<html></html>');
	});
	const { url, close } = await listen(server);
	const form = {
		url: `${url}/form/kyc-document`,
		/** True if the form cannot be opened now. */
		refuse: () => false as boolean,
		close,
	};
	return form;
}
