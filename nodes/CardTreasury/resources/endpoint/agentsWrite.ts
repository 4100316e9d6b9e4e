import { InvalidFieldError } from '../../../fields/invalidField';
import { isUsersOwn } from '../../fields/guards';
import type { Caller } from '../../input';
import type { HttpMethod } from '../../request';
import { updateAmount } from '../rampTransfer/updateAmount';
import { transfer } from '../wallet/transfer';

/** These operations have guards of their own, which a plain request would bypass. */
const GUARDED = [transfer, updateAmount].map(({ endpoint }) => {
	const pattern = endpoint.path.replace(/\{\w+\}/g, '[^/]+');
	return new RegExp(`^${pattern}(?:[/;].*)?$`, 'i');
});

/**
 * An agent may read any path, and write where the user fixed method and path.
 * @throws InvalidFieldError
 */
export function refuseAgentsWrite(
	{ method, path }: { method: HttpMethod; path: string },
	caller: Caller,
): void {
	if (!caller.isTool || method === 'GET' || method === 'HEAD') return;
	for (const [name, label] of [
		['method', 'Method'],
		['path', 'Path'],
	] as const) {
		if (isUsersOwn(caller.rawParameters[name], caller)) continue;
		throw new InvalidFieldError(
			label,
			'is not a fixed value, and an AI agent is requesting a write',
			`Enter ${label} yourself, as a fixed value: an agent must not choose what it writes to.`,
		);
	}
	const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
		String.fromCharCode(parseInt(code, 16)),
	);
	if (!GUARDED.some((guarded) => guarded.test(decoded))) return;
	throw new InvalidFieldError(
		'Path',
		'belongs to an operation that moves money, and an AI agent is requesting it',
		'Give the agent the operation Transfer or Update Amount instead: those have guards.',
	);
}
