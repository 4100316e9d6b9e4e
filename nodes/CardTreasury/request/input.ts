export type JsonObject = Record<string, unknown>;

/**
 * File of an input item. Its content is read only when needed, because the documents of a batch do not fit into memory
 * together.
 */
export class FileReference {
	constructor(
		/** Name of the binary field. */
		readonly field: string,
		/** Size in bytes. */
		readonly size: number,
		/** First bytes, enough to detect the format. */
		readonly head: Buffer,
		readonly bytes: () => Promise<Buffer>,
		/** MIME type detected from the content; undefined before the check. */
		readonly type?: string,
	) {}

	withType(type: string): FileReference {
		return new FileReference(this.field, this.size, this.head, this.bytes, type);
	}
}

/** Item as the operations see it. The node fills it from n8n, tests from a plain object. */
export interface InputItem {
	/**
	 * Parameters of the operation by name, with expressions resolved. A resource locator is reduced to its value. An
	 * expression that fails is an `InvalidFieldError`, thrown when the field is read.
	 */
	parameters: Readonly<Record<string, unknown>>;
	/** Value of one `{{ }}` for this item, of any type. */
	evaluate(part: string): unknown;
	/** Undefined if the item has no file in that field. @throws InvalidFieldError if the file cannot be read */
	file(field: string): FileReference | undefined;
	/** The input item, for operations that pass it on. */
	json: JsonObject;
}

/** Environment of the run, the same for all items. */
export interface Caller {
	/** True if an AI agent calls the node as a tool. */
	isTool: boolean;
	/** True if n8n's AI assistant runs the node alone, with parameters it wrote itself. */
	isAssistant?: boolean;
	/**
	 * False if n8n stores nothing between calls: behind the MCP Server Trigger, in its own Agents, for its AI assistant.
	 */
	hasExecution: boolean;
	/** From the credential. */
	environment: 'sandbox' | 'production';
	/** Start of the execution in epoch milliseconds, kept by a retry; undefined without an execution. */
	startedAt?: number;
	/** IANA name of the workflow's time zone. */
	timezone: string;
	/** Parameters as stored in the workflow, with unresolved expressions. */
	rawParameters: Readonly<Record<string, unknown>>;
}
