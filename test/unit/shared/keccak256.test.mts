import { keccak256 } from '../../../nodes/shared/keccak256.ts';

describe('Keccak-256', () => {
	it.each([
		['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
		['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
		[
			'The quick brown fox jumps over the lazy dog',
			'4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15',
		],
	])('the hash of %j is as published', (text, hash) => {
		expect(keccak256(Buffer.from(text)).toString('hex')).toBe(hash);
	});
});
