export type JsonObject = Record<string, unknown>;

/** A file of an input item, read only when it is needed: a batch of documents does not fit into memory at once. */
export class FileReference {
	constructor(
		/** Name of the binary field. */
		readonly field: string,
		/** In bytes. */
		readonly size: number,
		/** The first bytes, enough to tell the format. */
		readonly head: () => Promise<Buffer>,
		readonly bytes: () => Promise<Buffer>,
		/** MIME type told by the content, once it was checked. */
		readonly type?: string,
	) {}

	withType(type: string): FileReference {
		return new FileReference(this.field, this.size, this.head, this.bytes, type);
	}
}

/** One item as the operations see it; the node fills it from n8n, tests from a plain object. */
export interface InputItem {
	/**
	 * Every parameter of the operation by name, expressions resolved; a resource locator gives its value, and an expression
	 * that fails gives an `InvalidFieldError`, which is thrown when the field is read.
	 */
	parameters: Readonly<Record<string, unknown>>;
	/** Undefined when the item has no file in that field. */
	file(field: string): Promise<FileReference | undefined>;
	/** The input item, for operations that pass it on. */
	json: JsonObject;
}

/** Who runs the node, and where: the same for all items. */
export interface Caller {
	/** Whether an AI agent calls the node as a tool. */
	isTool: boolean;
	/** Whether n8n's AI assistant runs the node alone, with parameters that it wrote itself. */
	isAssistant?: boolean;
	/** False where n8n keeps nothing between two calls: behind the MCP Server Trigger, in its own Agents, for its AI assistant. */
	hasExecution: boolean;
	/** Of the credential. */
	environment: 'sandbox' | 'production';
	/** Start of the execution in epoch milliseconds, which a retry keeps; undefined without an execution. */
	startedAt?: number;
	/** IANA name of the workflow's time zone. */
	timezone: string;
	/** The parameters as the workflow stores them, expressions unresolved. */
	rawParameters: Readonly<Record<string, unknown>>;
}
