import { serviceOperation } from '../../operation';
import { readCalendarDay } from '../../parameters/calendarDay';
import { fillPath } from '../../parameters/path';
import { FieldRefusal, readId, readOptionalText } from '../../parameters/reader';
import { idField } from '../fields';

const PATH = '/cards/transactions/{cardId}/pdf';

export const downloadStatement = serviceOperation({
	value: 'downloadStatement',
	displayName: 'Download Statement',
	action: 'Download card statement',
	description: 'Download the transactions of a card as a PDF',
	section: '4.9',
	endpoint: { method: 'GET', path: PATH },
	level: 1,
	effect: 'read',
	answer: 'pdf',
	timeoutMs: 60_000,
	refusals: [
		{
			status: 412,
			code: 'VAL',
			message: 'The service does not know this card',
			fix: 'Check Card ID, and that the card belongs to the environment of the credential.',
		},
	],
	properties: [
		idField('cardId', 'Card ID', 'e.g. crd_123'),
		{
			displayName: 'From Date',
			name: 'fromDate',
			type: 'dateTime',
			typeOptions: { dateOnly: true },
			default: '',
			required: true,
		},
		{
			displayName: 'To Date',
			name: 'toDate',
			type: 'dateTime',
			typeOptions: { dateOnly: true },
			default: '',
			required: true,
		},
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			hint: 'The name of the output binary field to put the file in',
		},
	],
	options: [
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. january.pdf',
		},
	],
	fields: (parameters) => {
		const fields = {
			cardId: readId(parameters, 'cardId', 'Card ID'),
			fromDate: readCalendarDay(parameters, 'fromDate', 'From Date'),
			toDate: readCalendarDay(parameters, 'toDate', 'To Date'),
			property:
				readOptionalText(parameters, 'binaryPropertyName', 'Put Output File in Field') ?? 'data',
			fileName: readOptionalText(parameters, 'options.fileName', 'File Name'),
		};
		if (fields.fromDate > fields.toDate) {
			throw new FieldRefusal('From Date', 'is after To Date', 'Exchange the two dates.');
		}
		return fields;
	},
	request: ({ cardId, fromDate, toDate }) => ({
		method: 'GET',
		path: fillPath(PATH, { cardId }),
		headers: { accept: 'application/pdf, application/json' },
		query: [
			['from_date', fromDate],
			['to_date', toDate],
		],
	}),
	items: ({ bytes, traceId }, { cardId, fromDate, toDate, property, fileName }) => [
		{
			json: { card_id: cardId, from_date: fromDate, to_date: toDate, trace_id: traceId },
			file: {
				property,
				bytes,
				fileName:
					fileName ?? `statement_${cardId.replace(/[^\w.-]/g, '_')}_${fromDate}_${toDate}.pdf`,
				mimeType: 'application/pdf',
			},
		},
	],
});
