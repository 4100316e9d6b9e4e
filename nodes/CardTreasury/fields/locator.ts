import type { INodeProperties } from 'n8n-workflow';

import type { Source } from '../../fields/field';
import type { EditorSource, ItemField, ListEntry } from './item';

interface LocatorInfo<Value> {
	displayName: string;
	description: string;
	/** What is entered instead of choosing, e.g. `By ID`. */
	byHand: { displayName: string; placeholder: string };
	builderHint?: INodeProperties['builderHint'];
	/** @throws InvalidFieldError */
	read(source: Source, name: string): Value;
	/** @throws InvalidFieldError that names the field to fill in first */
	list(editor: EditorSource): Promise<ListEntry[]>;
}

/** A required value that is picked from a list of the service, or entered. */
export function locator<Value>(info: LocatorInfo<Value>): ItemField<Value> {
	const { displayName, description, byHand, builderHint } = info;
	return {
		property: (name, method) => ({
			displayName,
			name,
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			required: true,
			description,
			...(builderHint && { builderHint }),
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					typeOptions: { searchListMethod: method, searchable: true },
				},
				{ ...byHand, name: 'id', type: 'string' },
			],
		}),
		read: (source, name) => info.read(source, name),
		list: async (editor) => await info.list(editor),
	};
}
