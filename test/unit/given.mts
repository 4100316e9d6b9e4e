import type { IDataObject } from 'n8n-workflow';

import { RECIPIENT } from '../harness/fixtures.mts';
import { table, valuesOf } from './reading.mts';

export const TOKEN = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';

/** Parameters with which each operation runs. */
export const GIVEN = Object.fromEntries(
	table<[name: string, parameters: IDataObject]>(`
	token: getAll | {"returnAll":true}
	wallet: transfer | {"accountId":"a/1","walletId":" w 2 ","to":"${RECIPIENT}","amount":"007.50","paymentReference":"INV\u201317","maximumAmount":"100","tokenAddress":{"__rl":true,"mode":"list","value":"${TOKEN}","cachedResultName":"USDC on POLYGON · USD Coin · $1"}}
	rampTransfer: updateAmount | {"rampTransferId":"r?1","amount":10.1}
	card: get | {"cardId":"c#1"}
	card: freeze | {"cardId":"c"}
	card: unfreeze | {"cardId":"c"}
	card: configure3ds | {"cardId":"c","type":"Webhook"}
	card: unblock | {"cardId":"c"}
	cardTransaction: search | {"cardId":"c","operations":[]}
	cardTransaction: get | {"cardId":"c","transactionId":"t/1","path":"/x/{cardId}/y/{transactionId}"}
	cardTransaction: downloadStatement | {"cardId":"c/1","fromDate":"2026-01-01","toDate":"2026-01-31"}
	productRequest: getAll | {"clientId":"cl","returnAll":false,"limit":2}
	productRequest: getMissingRequirements | {"clientId":"cl"}
	productRequest: submitDocument | {"clientId":"cl","productRequestId":"p","documentType":"passport","frontImageField":"front"}
	endpoint: request | {"method":"POST","path":"/x","jsonBody":"{\\"amount\\": 1.10}"}
`),
);
export const BINARY = { front: { mimeType: 'image/png', fileSize: '3 B', data: 'AAAA' } };

/** Values of an operation. */
export const given = async (name: string, more: IDataObject = {}, binary: object = BINARY) =>
	await valuesOf(name, { ...GIVEN[name], ...more }, binary);
