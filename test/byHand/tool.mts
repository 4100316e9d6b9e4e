/** Tool that a person runs now and then, because it takes long or its result needs judgment. */
export interface Tool {
	/** Arguments and purpose. */
	usage: string;
	/**
	 * @param command how the tool was called, for its output
	 * @returns false if it does not understand the arguments
	 */
	run(args: string[], command: string): Promise<boolean>;
}
