import type { IDataObject } from 'n8n-workflow';

/** A document type that a product request accepts (§2.3), with what the lists and the check need of it. */
export interface DocumentType {
	id: string;
	name: string;
	needsBackImage: boolean;
	metadata: Array<{ id: string; name: string; dataType: string; required: boolean }>;
}

/** Documents can be submitted in this state only (§3). */
export function takesDocuments(request: IDataObject): boolean {
	return request.status === 'pending_documentation';
}

/** The document types that the request still accepts, in its order; undefined when it does not say what is missing. */
export function acceptedTypes(request: IDataObject): DocumentType[] | undefined {
	const missing = request.missing_requirements;
	if (typeof missing !== 'object' || missing === null) return undefined;
	const documents = (missing as IDataObject).documents;
	if (!Array.isArray(documents)) return undefined;
	return objects(documents)
		.flatMap(({ valid_documents: valid }) => objects(valid))
		.map(({ id, name, require_back_image: back, metadata }) => ({
			id: String(id),
			name: typeof name === 'string' && name !== '' ? name : String(id),
			needsBackImage: back === true,
			metadata: objects(metadata).map((field) => ({
				id: String(field.id),
				name: typeof field.name === 'string' && field.name !== '' ? field.name : String(field.id),
				dataType: String(field.data_type),
				required: field.required === true,
			})),
		}));
}

function objects(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}
