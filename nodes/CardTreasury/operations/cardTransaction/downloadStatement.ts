import { InvalidFieldError } from '../../../shared/fields/invalidField';
import { cardId, text } from '../../../shared/fields/text';
import { calendarDay } from '../fields';
import { get, operation } from '../operation';

export const downloadStatement = operation({
	name: 'Download Statement',
	action: 'Download card statement',
	description: 'Download the transactions of a card as a PDF',
	section: '4.9',
	endpoint: get('/cards/transactions/{cardId}/pdf'),
	level: 1,
	effect: 'read',
	answer: 'pdf',
	timeoutMs: 60_000,
	fields: {
		cardId: cardId('ID of the card that the statement is about'),
		fromDate: calendarDay(
			'From Date',
			"First day of the statement. A date with a time is taken as its day in the workflow's time zone; the time zone in which the service counts days is not documented.",
		),
		toDate: calendarDay(
			'To Date',
			"Last day of the statement, as a day in the workflow's time zone. Whether the service includes it is not documented.",
		),
		binaryPropertyName: text('Put Output File in Field', {
			default: 'data',
			required: true,
			hint: 'The name of the output binary field to put the file in',
		}),
	},
	options: { fileName: text('File Name', { placeholder: 'e.g. january.pdf' }) },
	errors: [
		{
			status: 412,
			code: 'VAL',
			message: 'Card not found',
			fix: 'Check Card ID, and that the credential is for the right environment.',
		},
	],
	check: ({ fromDate, toDate }) => {
		if (fromDate === undefined || toDate === undefined || fromDate <= toDate) return;
		throw new InvalidFieldError('From Date', 'is after To Date', 'Swap the two dates.');
	},
	// Empty dates are omitted, because §4.9 does not show if dates are required.
	query: ({ fromDate, toDate }) => [
		...(fromDate === undefined ? [] : [['from_date', fromDate] as [string, string]]),
		...(toDate === undefined ? [] : [['to_date', toDate] as [string, string]]),
	],
	items: ({ traceId }, { cardId, fromDate, toDate }) => [
		{
			card_id: cardId,
			from_date: fromDate ?? null,
			to_date: toDate ?? null,
			trace_id: traceId,
		},
	],
	file: ({ cardId, fromDate, toDate, binaryPropertyName, fileName }) => ({
		property: binaryPropertyName ?? 'data',
		fileName: fileName ?? fileNameOf(['statement', cardId, fromDate, toDate]),
		mimeType: 'application/pdf',
	}),
	output: { card_id: 'string', from_date: 'string', to_date: 'string', trace_id: 'string' },
});

/** Builds a file name that is valid in any file system. */
function fileNameOf(parts: Array<string | undefined>): string {
	const given = parts.filter((part) => part !== undefined);
	return `${given.map((part) => part.replace(/[^\w.-]/g, '_')).join('_')}.pdf`;
}
