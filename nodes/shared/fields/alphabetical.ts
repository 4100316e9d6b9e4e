import type { INodeProperties } from 'n8n-workflow';

/** Number of entries from which a list is sorted. */
const SORTED_FROM = 5;

/** Sorts long dropdowns and collections alphabetically, as n8n's lint rules require. */
export function alphabetical(properties: INodeProperties[]): INodeProperties[] {
	return properties.map((property) => {
		const { type, options } = property;
		if (options === undefined) return property;
		if (type === 'options' || type === 'multiOptions') {
			return { ...property, options: sorted(options, 'name') };
		}
		if (type !== 'collection') return property;
		const entries = alphabetical(options as INodeProperties[]);
		return { ...property, options: sorted(entries, 'displayName') };
	});
}

function sorted<Entry extends object>(entries: Entry[], label: keyof Entry): Entry[] {
	if (entries.length < SORTED_FROM) return entries;
	return [...entries].sort((one, other) => String(one[label]).localeCompare(String(other[label])));
}
