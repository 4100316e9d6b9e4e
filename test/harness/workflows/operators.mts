import { ExpressionParser } from 'n8n-workflow';
import ts from 'typescript';

import type { WorkflowNode } from './workflowFiles.mts';

/** Every text in a value, such as the parameters of a node. */
export function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Code in the `{{ }}` of a node's parameters. */
export const expressionsIn = (node: WorkflowNode): string[] =>
	textsIn(node.parameters)
		.filter((text) => text.startsWith('='))
		.flatMap((text) => ExpressionParser.splitExpression(text.slice(1)))
		.filter(({ type }) => type === 'code')
		.map(({ text }) => text.trim());

/**
 * JavaScript in an expression that dragging a field does not make: operators, functions, and calls except `$('Node')`,
 * `.first()` and `.all()`.
 */
export function operatorsIn(code: string): string[] {
	const source = ts.createSourceFile('expression.js', `(${code})`, ts.ScriptTarget.Latest, true);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isBinaryExpression(node)) found.push(node.operatorToken.getText());
		else if (ts.isConditionalExpression(node)) found.push('?:');
		else if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) found.push('=>');
		else if (ts.isPrefixUnaryExpression(node) || ts.isTypeOfExpression(node))
			found.push(node.getText()[0]!);
		else if (ts.isTemplateExpression(node)) found.push('`${}`');
		else if (ts.isQuestionDotToken(node)) found.push('?.');
		else if (ts.isCallExpression(node) && !isDragged(node)) found.push(`${nameOf(node)}()`);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

const isDragged = ({ expression, arguments: given }: ts.CallExpression) =>
	(ts.isIdentifier(expression) && expression.text === '$') ||
	(ts.isPropertyAccessExpression(expression) &&
		['first', 'all'].includes(expression.name.text) &&
		given.length === 0);

const nameOf = ({ expression }: ts.CallExpression) =>
	ts.isPropertyAccessExpression(expression) ? `.${expression.name.text}` : expression.getText();
