/** A test that has faked the clock ends with the real one. */
afterEach(() => void jest.useRealTimers());

export {};
