afterEach(() => jest.resetModules());

async function hostWith(exports: object) {
	jest.doMock('n8n-workflow', () => exports);
	const host = await import('../../../nodes/shared/host.ts');
	jest.dontMock('n8n-workflow');
	return host.unsupportedHost();
}

describe('the host', () => {
	it('is supported from n8n 2.20 on, and an older one is told what to do', async () => {
		expect(await hostWith({ WorkflowExpression: class {} })).toBeUndefined();
		jest.resetModules();
		expect(await hostWith({})).toBe('Card Treasury needs n8n 2.20 or newer. Update n8n.');
	});
});
