/** What a test has faked ends with it. */
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

export {};
