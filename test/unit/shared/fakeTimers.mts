import { processClock } from '../../../nodes/shared/clock.ts';

/** Fakes time for the package's waits too, whose `AbortSignal.timeout` jest does not fake. */
export function useFakeTimers() {
	jest.useFakeTimers();
	jest
		.spyOn(processClock, 'wait')
		.mockImplementation(async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)));
}

export function useRealTimers() {
	jest.useRealTimers();
	jest.restoreAllMocks();
}
