import { carriesChecksum, isHexadecimal, sameAddress, withChecksum } from '../../../shared/address';
import { InvalidFieldError } from '../../../shared/fields/invalidField';
import { harmless, textOf } from '../../../shared/plainLine';
import type { JsonObject } from '../../request/input';
import { contractOf } from '../token/tokens';

/** @throws InvalidFieldError if a transfer must not go to this address */
export function refuseRecipient({
	to,
	tokenAddress,
	allowedRecipients,
	allowMissingChecksum,
}: {
	to: string;
	tokenAddress: string | null;
	allowedRecipients?: string[];
	allowMissingChecksum?: boolean;
}): void {
	if (tokenAddress !== null && sameAddress(to, tokenAddress)) {
		throw new InvalidFieldError(
			'Recipient Address',
			"is the token's own contract",
			'Enter the wallet address of the recipient: tokens sent to their contract are lost.',
		);
	}
	if (allowedRecipients?.every((allowed) => !sameAddress(allowed, to))) {
		throw new InvalidFieldError(
			'Recipient Address',
			'is not among the Allowed Recipients',
			'Check where the address comes from.',
		);
	}
	if (allowMissingChecksum !== true && allowedRecipients === undefined && !carriesChecksum(to)) {
		throw new InvalidFieldError(
			'Recipient Address',
			'carries no checksum, so a typo in it would go unnoticed',
			missingChecksumFix(to),
		);
	}
}

/** @throws InvalidFieldError if the recipient is the contract of one of the company's tokens (§4.1) */
export function refuseTokenContract(to: string, tokens: JsonObject[]): void {
	const found = tokens.find((token) => sameAddress(contractOf(token), to));
	if (found === undefined) return;
	throw new InvalidFieldError(
		'Recipient Address',
		`is the contract of ${harmless(textOf(found.symbol))}, one of the company's tokens`,
		'Enter the wallet address of the recipient: what is sent to the contract of a token is lost.',
	);
}

/**
 * Suggests the form with the checksum. The checksum is computed from the typed address, so the user must still compare
 * it with the source.
 */
const missingChecksumFix = (to: string) =>
	isHexadecimal(to) && carriesChecksum(withChecksum(to))
		? `Compare every character with the source. If all are right, enter it as ${withChecksum(to)}, or add it to Allowed Recipients.`
		: 'Compare every character with the source. If all are right, add it to Allowed Recipients.';

/**
 * True if the recipient's address carries no checksum. Applies to dry runs too, because a typo can still be corrected
 * there.
 */
export function isUncheckable({ to, status }: JsonObject): boolean {
	return status !== 'NOTHING_TO_SEND' && typeof to === 'string' && !carriesChecksum(to);
}
