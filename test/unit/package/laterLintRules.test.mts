import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodeType } from 'n8n-workflow';

import { CardTreasuryApi } from '../../../credentials/CardTreasuryApi.credentials.ts';
import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';

/**
 * Rules of n8n's linter that come after the installed one (0.32.0). n8n's rules read literals and so do not see generated
 * panels; these read the panels themselves.
 */
const PROJECT = join(import.meta.dirname, '../../..');
const NODES: Array<[name: string, type: INodeType]> = [
	['CardTreasury', new CardTreasury()],
	['CardTreasuryTrigger', new CardTreasuryTrigger()],
];

/** Codex categories that n8n accepts. It rejects Logic and Flow. */
const CATEGORIES =
	'AI|Analytics|Communication|Data & Storage|Development|Finance & Accounting|Marketing & Content|Miscellaneous|Productivity|Sales|Utility'.split(
		'|',
	);
const MAX_HINT = 120;
const MIN_CONTRAST = 1.5;

/** Names that n8n takes for identifiers of an account, which belong into parameters. */
const ACCOUNT_ID = /^(?:partner|affiliate|reseller|account|tenant|customer|client)[_-]?id$/i;

const propertiesOf = (type: INodeType) =>
	JSON.parse(JSON.stringify(type.description.properties)) as INodeProperties[];

/** Every object in a value, at any depth. */
const objectsIn = (value: unknown): Array<Record<string, unknown>> =>
	typeof value !== 'object' || value === null
		? []
		: [
				...(Array.isArray(value) ? [] : [value as Record<string, unknown>]),
				...Object.values(value).flatMap(objectsIn),
			];

const CONTAINERS = ['collection', 'fixedCollection'];
const NO_INPUT = ['notice', 'callout', 'hidden', 'curlImport'];
const SELECTORS = ['resource', 'operation', 'authentication'];

/**
 * Fields that n8n would rather see in a collection, by the reason why they are where they are. A field that always has a
 * value, such as a choice with a default, needs no reason here: it is not optional.
 */
const OPTIONAL_AT_THE_TOP: Record<string, string[]> = {
	'needed only for one value of another field, which may be an expression': [
		'authorization: respond: responseCode',
		'cardTransaction: get: cardId',
		'cardTransaction: get: transactionId',
	],
	'what the operation is about, although the API document does not require it': [
		'cardTransaction: search: operations',
		'cardTransaction: downloadStatement: fromDate',
		'cardTransaction: downloadStatement: toDate',
	],
	'required or not by the type of document that the user picks': [
		'productRequest: submitDocument: backImageField',
		'productRequest: submitDocument: metadata',
	],
	'the body of a request to any path, whose fields nobody can know (also open-ended-node-fields)': [
		'endpoint: request: jsonBody',
	],
};

/** `resource: operation: name` of a field. */
const placeOf = ({ name, displayOptions }: INodeProperties) =>
	[displayOptions?.show?.resource, displayOptions?.show?.operation, name]
		.filter(Boolean)
		.join(': ');

const hasValue = ({ default: value }: INodeProperties) =>
	value !== '' && value !== null && typeof value !== 'object';

describe.each(NODES)("n8n's later lint rules for the panel of %s", (name, type) => {
	const properties = propertiesOf(type);
	const codex = JSON.parse(
		readFileSync(join(PROJECT, `nodes/${name}/${name}.node.json`), 'utf8'),
	) as { categories: string[] };

	it('hint-max-length: every hint has at most 120 characters', () => {
		const hints = objectsIn(properties).map(({ hint }) => hint);
		expect(hints.filter((hint) => typeof hint === 'string' && hint.length > MAX_HINT)).toEqual([]);
	});

	it('valid-node-categories, no-logic-or-flow-nodes: every category is one that n8n accepts', () => {
		expect(codex.categories).not.toEqual([]);
		expect(codex.categories.filter((category) => !CATEGORIES.includes(category))).toEqual([]);
	});

	it('single-credential-per-node: the node has one credential', () => {
		expect(type.description.credentials).toHaveLength(1);
	});

	it('no-hardcoded-ids: no account identifier has a fixed value', () => {
		const fixed = objectsIn(type.description).flatMap((each) =>
			Object.entries(each).filter(
				([key, value]) => ACCOUNT_ID.test(key) && typeof value === 'string',
			),
		);
		expect(fixed).toEqual([]);
	});

	it('prefer-declarative-style: the node file sends no request by itself', () => {
		const source = readFileSync(join(PROJECT, `nodes/${name}/${name}.node.ts`), 'utf8');
		expect(source).not.toMatch(/helpers|httpRequest/);
	});

	it('non-required-fields-in-collection: every optional field at the top has a reason', () => {
		const optional = properties.filter(
			(property) =>
				![...CONTAINERS, ...NO_INPUT].includes(property.type) &&
				!SELECTORS.includes(property.name) &&
				property.required !== true &&
				!hasValue(property),
		);
		const reasoned = Object.values(OPTIONAL_AT_THE_TOP).flat();
		const places = optional.map(placeOf);
		expect(places.filter((place) => !reasoned.includes(place))).toEqual([]);
		// A reason whose field has gone is no longer needed.
		if (name === 'CardTreasury')
			expect(reasoned.filter((place) => !places.includes(place))).toEqual([]);
	});

	it('open-ended-node-fields: the body of any request is the only optional JSON field', () => {
		const open = properties.filter(
			({ type: kind, required }) => kind === 'json' && required !== true,
		);
		expect(open.map(placeOf).filter((place) => place !== 'endpoint: request: jsonBody')).toEqual(
			[],
		);
	});
});

it('n8n would warn for at most five reasons', () => {
	expect(Object.keys(OPTIONAL_AT_THE_TOP).length).toBeLessThanOrEqual(5);
});

describe('icon-contrast', () => {
	const background = { light: '#ffffff', dark: '#2b2b2b' };
	const icons = [...NODES.map(([, type]) => type.description.icon), new CardTreasuryApi().icon];

	/** WCAG luminance of a color such as `#0f766e`. */
	const luminance = (color: string) => {
		const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
			const channel = parseInt(color.slice(at, at + 2), 16) / 255;
			return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};
	const contrast = (left: string, right: string) => {
		const [dark = 0, bright = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b);
		return (bright + 0.05) / (dark + 0.05);
	};

	it.each(['light', 'dark'] as const)('the %s icon stands out from its background', (theme) => {
		for (const icon of icons) {
			const file = (icon as { light: string; dark: string })[theme].split('/').pop()!;
			const svg = readFileSync(join(PROJECT, 'nodes/icons', file), 'utf8');
			const colors = [...svg.matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, color]) => color!);
			// The outline is the largest shape; the details are drawn on top of it.
			expect(contrast(colors[0]!, background[theme])).toBeGreaterThanOrEqual(MIN_CONTRAST);
		}
	});

	it('every icon file is used', () => {
		const used = icons
			.flatMap((icon) => Object.values(icon as object))
			.map((path) => String(path).split('/').pop());
		expect(readdirSync(join(PROJECT, 'nodes/icons')).sort()).toEqual([...new Set(used)].sort());
	});
});
