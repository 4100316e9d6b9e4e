import type { IDataObject } from 'n8n-workflow';

/** A document type that a product request accepts (§2.3), with what the lists and the check need of it. */
export interface DocumentType {
	id: string;
	name: string;
	needsBackImage: boolean;
	/** What the document is asked for, e.g. a proof of identity. */
	requirement: { name: string; required: boolean };
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
	return objects(documents).flatMap((requirement) =>
		objects(requirement.valid_documents).map((type) => ({
			id: String(type.id),
			name: label(type),
			needsBackImage: type.require_back_image === true,
			requirement: { name: label(requirement), required: requirement.required === true },
			metadata: objects(type.metadata).map((field) => ({
				id: String(field.id),
				name: label(field),
				dataType: String(field.data_type),
				required: field.required === true,
			})),
		})),
	);
}

function label({ id, name }: IDataObject): string {
	return typeof name === 'string' && name !== '' ? name : String(id);
}

function objects(value: unknown): IDataObject[] {
	return Array.isArray(value)
		? value.filter((entry) => typeof entry === 'object' && entry !== null)
		: [];
}
