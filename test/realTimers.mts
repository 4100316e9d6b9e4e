/** A test that has faked the clock ends with the real one, after its spies, which would bring the faked one back. */
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

export {};
