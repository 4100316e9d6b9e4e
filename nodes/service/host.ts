import * as n8n from 'n8n-workflow';

/**
 * Whether this n8n is a later 2.x (2.20 is; told by an export that is younger than both of these changes). Before:
 * - n8n, told `onReceived`, answers a delivery before it has stored the execution;
 * - the retry of an execution that was killed does not keep the moment at which that one began.
 */
export const IS_LATER_HOST = 'WorkflowExpression' in n8n;
