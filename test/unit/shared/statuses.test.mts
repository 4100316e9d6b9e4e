import { meaningOfStatus, NOT_THE_SERVICE } from '../../../nodes/shared/statuses.ts';

describe('meaningOfStatus', () => {
	it.each([400, 401, 403, 412])('a page with %d names the Base URL and the usual fix', (status) => {
		const { fix } = meaningOfStatus(status, { isJson: true });
		expect(fix).not.toContain(NOT_THE_SERVICE);
		expect(meaningOfStatus(status, { isJson: false }).fix).toBe(`${NOT_THE_SERVICE} ${fix}`);
	});

	it('a 404 that is no JSON came from elsewhere, and a 5xx page may be that of a gateway', () => {
		expect(meaningOfStatus(404, { isJson: false }).fix).toBe('Check the Base URL.');
		expect(meaningOfStatus(502, { isJson: false })).toEqual(meaningOfStatus(502, { isJson: true }));
	});

	it.each([401, 403])(
		'a %d names the level of the key only if the service gives no reason',
		(status) => {
			const said = (serviceMessage?: string, level = 2) =>
				meaningOfStatus(status, { isJson: true, level, ...(serviceMessage && { serviceMessage }) })
					.message;
			expect(said()).toContain('or is below level 2');
			expect(said('revoked')).not.toContain('below level');
			expect(said('revoked')).toContain(': revoked');
			expect(said(undefined, 1)).not.toContain('below level');
		},
	);
});
