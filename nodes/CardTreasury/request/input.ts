export type JsonObject = Record<string, unknown>;

/**
 * File of an input item. The content is read only when needed, because all documents of a batch would not fit into
 * memory.
 */
export class FileReference {
	constructor(
		/** Name of the binary field. */
		readonly field: string,
		readonly size: number,
		/** First bytes, enough to detect the format. */
		readonly head: Buffer,
		readonly bytes: () => Promise<Buffer>,
		/** MIME type detected from the content. Undefined before the check. */
		readonly type?: string,
		/** ID under which n8n stores the file, or else its content. Fields that have it in common hold one file. */
		readonly stored = field,
	) {}

	withType(type: string): FileReference {
		return new FileReference(this.field, this.size, this.head, this.bytes, type, this.stored);
	}

	storedAs(stored: string): FileReference {
		return new FileReference(this.field, this.size, this.head, this.bytes, this.type, stored);
	}
}

/** Input item of an operation. The node fills it from n8n, and tests from a plain object. */
export interface InputItem {
	/**
	 * Parameters of the operation by name, with resolved expressions. A resource locator is reduced to its value. The
	 * error of a failed expression is stored, and is thrown when the field is read.
	 */
	parameters: Readonly<Record<string, unknown>>;
	/** Evaluates one `{{ }}` for this item. */
	evaluate(part: string): unknown;
	/**
	 * Returns the file in a binary field. Undefined if there is none.
	 * @throws InvalidFieldError if the file cannot be read
	 */
	file(field: string): FileReference | undefined;
	/** JSON of the input item. */
	json: JsonObject;
	/** True if the input item has neither JSON nor files, as n8n makes one with Always Output Data. */
	isEmpty: boolean;
}

/** Circumstances of the run, the same for all items. */
export interface Caller {
	/** True if an AI agent calls the node as a tool. */
	isTool: boolean;
	/** True if n8n's AI assistant runs the node alone, with parameters that the assistant wrote. */
	isAssistant?: boolean;
	/**
	 * False if n8n stores nothing between calls: behind the MCP Server Trigger, in n8n's own Agents and for n8n's AI
	 * assistant.
	 */
	hasExecution: boolean;
	/** Environment of the credential. */
	environment: 'sandbox' | 'production';
	/** Start of the execution in epoch milliseconds. A retry keeps it. Undefined without an execution. */
	startedAt?: number;
	/** IANA name of the workflow's time zone. */
	timezone: string;
	/** Parameters as stored in the workflow, with unresolved expressions. */
	rawParameters: Readonly<Record<string, unknown>>;
}
