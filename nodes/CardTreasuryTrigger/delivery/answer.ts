import type { IWebhookFunctions } from 'n8n-workflow';

/** n8n's response object of a delivery (express). */
export type DeliveryResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** The acknowledgement of §6.3. */
export const ACKNOWLEDGEMENT = { response_code: 'OK' } as const;

/** Writes a complete JSON answer at once; does nothing when the response has been answered or is gone. */
export function answer(response: DeliveryResponse, status: number, body: object): void {
	if (response.headersSent || response.writableEnded || response.destroyed) return;
	response.statusCode = status;
	response.setHeader('Content-Type', 'application/json; charset=utf-8');
	response.end(JSON.stringify(body));
}
