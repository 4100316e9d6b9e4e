import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** A message that a user can meet; what differs from case to case stands as `…`. */
export interface Message {
	/** Source file, from the project's root. */
	file: string;
	text: string;
	/** What the message itself advises; empty where the text says it all. */
	advice: string;
}

/** Functions whose string arguments are messages, or what completes one that begins with a field's name. */
const TELLERS = ['refuse', 'addProblem', 'cannotLoad', 'push', 'add'];
/** Functions that return what is wrong as a text, and the field that it is wrong with. */
const JUDGES: Record<string, string> = {
	checkOwnKey: 'Idempotency Key',
	checkAddress: 'Recipient Address',
	checkKey: '',
};

/** Every message in the source of the nodes and the credential, in the order of the files. */
export function allMessages(): Message[] {
	return ['nodes', 'credentials'].flatMap(sourceFiles).flatMap(messagesIn);
}

function sourceFiles(folder: string): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(ROOT, folder, file))
		.sort();
}

function messagesIn(path: string): Message[] {
	const source = ts.createSourceFile(
		path,
		readFileSync(path, 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const file = relative(ROOT, path);
	const found: Message[] = [];
	const add = (text: string, advice = '') => {
		// What begins with a small letter completes a sentence that begins with the field's name.
		if (/^[a-z]/.test(text) && !/^[a-z_]+:|^n8n/.test(text)) return add(`*Field* ${text}`, advice);
		// Texts that are given elsewhere leave nothing but gaps here; single words are names, not messages.
		if (/[A-Za-z]{2,} [A-Za-z]{2,}|[A-Za-z]+ (is|has) /.test(text))
			found.push({ file, text: tidy(text), advice: tidy(advice) });
	};
	const visit = (node: ts.Node): void => {
		if (ts.isNewExpression(node) && node.expression.getText() === 'InvalidFieldError') {
			const [field, reason, fix] = node.arguments ?? [];
			if (field && reason) add(`${fieldOf(field)} ${textOf(reason)}`, fix && textOf(fix));
		} else if (ts.isNewExpression(node) && node.expression.getText() === 'NodeOperationError') {
			const text = node.arguments?.[1];
			if (text) add(textOf(text), property(node.arguments?.[2], 'description'));
		} else if (ts.isObjectLiteralExpression(node)) {
			const message = property(node, 'message') || property(node, 'reason');
			if (message) add(message, property(node, 'fix') || property(node, 'description'));
		} else if (ts.isCallExpression(node) && TELLERS.includes(nameOf(node.expression))) {
			const texts = node.arguments.map(textOf);
			if (nameOf(node.expression) === 'cannotLoad') add(texts[1] ?? '', texts[2]);
			else if (nameOf(node.expression) === 'refuse') add(texts[0] ?? '', texts[1]);
			else if (texts.some((text) => text !== '…')) add(texts.slice(0, 2).join(' '));
		} else if (
			ts.isReturnStatement(node) &&
			node.expression &&
			Object.hasOwn(JUDGES, functionOf(node)) &&
			textOf(node.expression) !== ''
		) {
			add(`${JUDGES[functionOf(node)]} ${textOf(node.expression)}`.trim());
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found.filter(
		({ text }, index) => found.findIndex((other) => other.text === text) === index,
	);
}

const nameOf = (expression: ts.Expression): string =>
	ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();

function functionOf(node: ts.Node): string {
	for (let parent = node.parent; parent; parent = parent.parent) {
		if (ts.isFunctionDeclaration(parent)) return parent.name?.text ?? '';
	}
	return '';
}

function fieldOf(node: ts.Expression): string {
	return ts.isStringLiteral(node) ? node.text : '*Field*';
}

function property(node: ts.Node | undefined, name: string): string {
	if (!node || !ts.isObjectLiteralExpression(node)) return '';
	const found = node.properties.find((candidate) => candidate.name?.getText() === name);
	return found && ts.isPropertyAssignment(found) ? textOf(found.initializer) : '';
}

/** The text of an expression with `…` for what is only known when it runs. */
function textOf(node: ts.Expression): string {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (ts.isTemplateExpression(node))
		return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
	if (ts.isConditionalExpression(node))
		return [node.whenTrue, node.whenFalse]
			.map(textOf)
			.filter((text) => text !== '')
			.join(' / ');
	if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
		return textOf(node.left) + textOf(node.right);
	if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
	return node.getText() === 'undefined' ? '' : '…';
}

function tidy(text: string): string {
	return text
		.replace(/\s+/g, ' ')
		.replace(/\|/g, '\\|')
		.replace(/(…\s*)+/g, (gap) => (gap.endsWith(' ') ? '… ' : '…'))
		.trim();
}

const PLACES: Array<[heading: string, folder: RegExp]> = [
	['Action node: what you entered', /^nodes\/CardTreasury\/(fields|resources)\//],
	['Action node: what the service answered', /^nodes\/CardTreasury\/client\//],
	['Action node: the run and its hints', /^nodes\/CardTreasury\/(batch\/|n8n\/|[^/]+$)/],
	['Trigger: publishing, rules, and answers to the sender', /^nodes\/CardTreasuryTrigger\//],
	['Credential and amounts', /^(nodes\/service|credentials)\//],
];

/** The list for the page, by where a message turns up. */
export function messageTables(): string {
	const messages = allMessages();
	return PLACES.map(([heading, folder]) => {
		const rows = messages.filter(({ file }) => folder.test(file));
		const lines = [
			...new Set(rows.map(({ text, advice }) => `| ${text} | ${advice || '–'} |`)),
		].sort((left, right) => left.localeCompare(right, 'en'));
		return [`### ${heading}`, '', '| Message | What to do |', '|---|---|', ...lines].join('\n');
	}).join('\n\n');
}
