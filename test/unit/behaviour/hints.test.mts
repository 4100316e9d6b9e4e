import { operationOf } from '../CardTreasury/operations/reading.mts';

describe('hints after the run', () => {
	const PENDING_ONE =
		'1 transfer is pending or needs a manual check. Do not send it again: wait for the treasury.transfer event.';
	it.each<[string, object[][], string[]]>([
		['wallet: transfer', [[{ status: 'SUCCESS' }], [{ status: 'NOTHING_TO_SEND' }], [{}]], []],
		['wallet: transfer', [[{ status: 'PENDING' }]], [PENDING_ONE]],
		['wallet: transfer', [[{ status: 'MANUAL_CHECK' }]], [PENDING_ONE]],
		[
			'wallet: transfer',
			[[{ status: 'PENDING' }], [{ status: 'MANUAL_CHECK' }]],
			[
				'2 transfers are pending or need a manual check. Do not send them again: wait for their treasury.transfer events.',
			],
		],
		[
			'wallet: transfer',
			[[{ status: null }]],
			[
				'1 transfer came back without a status. Do not treat it as done, and do not send it again: wait for the treasury.transfer event.',
			],
		],
		[
			'wallet: transfer',
			[[{ status: 'SUCCESS', to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }]],
			[],
		],
		[
			'wallet: transfer',
			[[{ status: 'SUCCESS', to: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' }]],
			[
				'The recipient address of 1 transfer carries no checksum: a typo in it goes unnoticed. Compare it with its source, or enter its mixed-case form.',
			],
		],
		[
			'wallet: transfer',
			[[{ dry_run: true, body: { to: 'TX' } }], [{ status: 'SUCCESS', to: 'TY' }]],
			[
				'2 transfers go to addresses that carry no checksum: a typo in one goes unnoticed. Compare them with their source, or enter their mixed-case form.',
			],
		],
		['wallet: transfer', [[{ status: 'NOTHING_TO_SEND', to: 'TX' }]], []],
		['card: freeze', [[{ card_id: 'c', frozen: true }]], []],
		[
			'card: freeze',
			[[{ card_id: 'c', frozen: true, answer: { frozen: false } }]],
			['1 reply was not the documented one. See answer, and check the card with Get.'],
		],
		[
			'card: unblock',
			[[{ card_id: 'c', answer: 'x' }], [{ card_id: 'c', answer: null }], [{ card_id: 'c' }]],
			['2 replies were not the documented one. See answer, and check the card with Get.'],
		],
		[
			'cardTransaction: search',
			[[{ total_elements: 12, items: Array(5).fill({ operation: 'PURCHASE' }) }]],
			[
				'5 of 12 transactions are shown: request the next page. Its parameters go under Query Parameters in the options.',
			],
		],
		[
			'cardTransaction: search',
			[
				Array(5).fill({ operation: 'PURCHASE', total_elements: 5 }),
				Array(2).fill({ operation: 'PURCHASE', total_elements: 5 }),
				[{ operation: 'PURCHASE', total_elements: 4 }],
			],
			[
				'3 of 9 transactions are shown: request the next page. Its parameters go under Query Parameters in the options.',
			],
		],
		['cardTransaction: search', [[{ total_elements: 12 }], [{}], []], []],
		[
			'productRequest: submitDocument',
			[[{ rejected_items: [] }], [{ rejected_items: [{ key: 'x' }] }]],
			[
				'The service rejected parts of 1 document. Read the reasons in rejected_items, correct the parts and submit it again.',
			],
		],
		[
			'productRequest: submitDocument',
			[[{ rejected_items: [{ key: 'x' }] }], [{ rejected_items: [{ key: 'x' }, { key: 'y' }] }]],
			[
				'The service rejected parts of 2 documents. Read the reasons in rejected_items, correct the parts and submit them again.',
			],
		],
		['productRequest: submitDocument', [[{ rejected_items: [] }], [{}]], []],
		[
			'productRequest: submitDocument',
			[[{ rejected_items: null }], [{ rejected_items: [] }]],
			['1 answer does not say whether anything was rejected: check with Get Missing Requirements.'],
		],
		[
			'productRequest: submitDocument',
			[[{ rejected_items: null }], [{ rejected_items: null }]],
			['2 answers do not say whether anything was rejected: check with Get Missing Requirements.'],
		],
		['card: freeze', [[{ card_id: 'c', frozen: true }]], []],
	])('of %s contain %j', (name, items, messages) => {
		const hints = operationOf(name).hints(items as Array<Array<Record<string, unknown>>>);
		expect(hints.map(({ message }) => message)).toStrictEqual(messages);
	});

	it.each([
		['wallet: transfer', { status: 'PENDING' }],
		['productRequest: submitDocument', { rejected_items: [{ key: 'x' }] }],
	])('of %s are warnings', (name, item) => {
		expect(operationOf(name).hints([[item]])).toEqual([
			{ message: expect.any(String), type: 'warning' },
		]);
	});
});
