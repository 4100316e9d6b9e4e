import type { FieldContext } from '../../shared/fields/field';

interface Range {
	version: 4 | 6;
	/** Network prefix as a number. */
	network: bigint;
	/** Number of bits after the prefix. */
	hostBits: bigint;
}

/** Allowed ranges. An empty list allows no sender. */
export type IpAllowlist = readonly Range[];

/**
 * Reads addresses and CIDR ranges, IPv4 and IPv6, separated by commas, semicolons or white space. Written by hand,
 * because community nodes cannot use `node:net`.
 */
export function readIpAllowlist({ value, refuse }: FieldContext): IpAllowlist {
	const entries = (typeof value === 'string' ? value : '')
		.split(/[,;\s]/)
		.filter((entry) => entry !== '');
	if (entries.length === 0) return refuse('is empty', 'Enter an address, or remove the option.');
	return entries.map(
		(entry) =>
			readRange(entry) ??
			refuse(
				`has "${entry.slice(0, 40)}", which is not an IP address or CIDR range`,
				'Use for example 203.0.113.7 or 10.0.0.0/8.',
			),
	);
}

/**
 * True if the sender's address is in an allowed range.
 * @param sender address from n8n (`req.ip`), possibly with a port from a proxy; refused if not a string
 */
export function isAllowed(allowlist: IpAllowlist, sender: unknown): boolean {
	if (typeof sender !== 'string') return false;
	const host = /^\[(.*)\](?::\d+)?$/s.exec(sender)?.[1] ?? sender.replace(/^([\d.]+):\d+$/, '$1');
	// The zone of a link-local address is removed, for example `%eth0` in fe80::1%eth0.
	const address = readAddress(host.replace(/%.*/s, ''));
	if (address === undefined) return false;
	return allowlist.some(
		({ version, network, hostBits }) =>
			version === address.version && address.bits >> hostBits === network,
	);
}

function readRange(entry: string): Range | undefined {
	const [text = '', prefix, ...more] = entry.split('/');
	const written = readAddress(text, false);
	if (written === undefined || more.length > 0) return undefined;
	const width = written.version === 4 ? 32 : 128;
	if (prefix !== undefined && !/^(?:0|[1-9][0-9]{0,2})$/.test(prefix)) return undefined;
	const length = prefix === undefined ? width : Number(prefix);
	if (length > width) return undefined;
	const mapped = length >= 96 ? ipv4Of(written) : undefined;
	const { version, bits } = mapped ?? written;
	const hostBits = BigInt(width - length);
	return { version, network: bits >> hostBits, hostBits };
}

interface Address {
	version: 4 | 6;
	bits: bigint;
}

/** @param unmap true to read an IPv4 address in IPv6 form (`::ffff:10.0.0.1`) as the IPv4 address */
function readAddress(text: string, unmap = true): Address | undefined {
	const ipv4 = readIpv4(text);
	if (ipv4 !== undefined) return { version: 4, bits: ipv4 };
	const ipv6 = readIpv6(text);
	if (ipv6 === undefined) return undefined;
	const address: Address = { version: 6, bits: ipv6 };
	return (unmap ? ipv4Of(address) : undefined) ?? address;
}

function ipv4Of({ bits }: Address): Address | undefined {
	return bits >> 32n === 0xffffn ? { version: 4, bits: bits & 0xffffffffn } : undefined;
}

function readIpv4(text: string): bigint | undefined {
	const parts = text.split('.');
	// A leading zero is refused, because some programs read the number as octal and others as decimal.
	if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part)))
		return undefined;
	if (parts.some((part) => Number(part) > 255)) return undefined;
	return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function readIpv6(text: string): bigint | undefined {
	const halves = text.split('::');
	if (halves.length > 2) return undefined;
	const groups = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
	const [left, right] = groups;
	if (left === undefined || groups.includes(undefined)) return undefined;
	const missing = 8 - left.length - (right?.length ?? 0);
	if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
	const all = [...left, ...Array.from({ length: missing }, () => 0n), ...(right ?? [])];
	return all.reduce((bits, group) => (bits << 16n) | group, 0n);
}

/** Reads the 16-bit groups on one side of `::`. An IPv4 address at the end counts as two groups. */
function groupsOf(half: string, isEnd: boolean): bigint[] | undefined {
	const groups: bigint[] = [];
	const parts = half === '' ? [] : half.split(':');
	for (const [index, part] of parts.entries()) {
		const ipv4 = isEnd && index === parts.length - 1 ? readIpv4(part) : undefined;
		if (ipv4 !== undefined) groups.push(ipv4 >> 16n, ipv4 & 0xffffn);
		else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`));
		else return undefined;
	}
	return groups;
}
