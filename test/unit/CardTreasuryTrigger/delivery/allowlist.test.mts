import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';

import { isAllowed } from '../../../../nodes/CardTreasuryTrigger/delivery/allowlist.ts';
import { readDeliverySettings } from '../../../../nodes/CardTreasuryTrigger/settings.ts';

/** The option as the trigger reads it. */
function read(list: unknown) {
	const parameters: Record<string, unknown> = {
		events: ['cards.cleared'],
		options: { ipAllowlist: list },
	};
	const { ipAllowlist, problems } = readDeliverySettings(
		(name, absent) => parameters[name] ?? absent,
	);
	if (ipAllowlist === 'any sender') throw new Error('The option must not be left out');
	return { ipAllowlist, problems };
}
const allows = (list: unknown, sender: unknown) => isAllowed(read(list).ipAllowlist, sender);

describe('IP allowlist', () => {
	it.each([
		['203.0.113.7', '203.0.113.7', true],
		['203.0.113.7', '203.0.113.8', false],
		['203.0.113.7', '::ffff:203.0.113.7', true],
		['203.0.113.7', '::ffff:cb00:7107', true],
		['::ffff:203.0.113.7', '203.0.113.7', true],
		['10.1.2.3/8', '10.9.9.9', true],
		['0.0.0.0/0', '2001:db8::1', false],
		['::/0', '198.51.100.1', false],
		['::ffff:10.0.0.0/104', '10.2.3.4', true],
		['::ffff:0:0/96', '198.51.100.1', true],
		['::ffff:0:0/95', '198.51.100.1', false],
		['::fffe:0:0/96', '198.51.100.1', false],
		['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0', true],
		['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8', true],
		['1:2:3:4:5:6:10.0.0.1', '1:2:3:4:5:6:a00:1', true],
		['2001:DB8::1', '2001:db8:0:0:0:0:0:1', true],
		['fe80::/10', 'fe80::1%eth0', true],
		['203.0.113.7', '203.0.113.7:51234', true],
		['203.0.113.7', '[::ffff:203.0.113.7]:80', true],
		['2001:db8::1', '[2001:db8::1]:443', true],
		['2001:db8::1', '[2001:db8::2]:443', false],
		['0.0.0.0/0', '203.0.113.7:http', false],
		['::/0', '[2001:db8::1]x', false],
		['::/0', 'x[2001:db8::1]:443', false],
		[' 198.51.100.1 ,, 203.0.113.7', '203.0.113.7', true],
		['198.51.100.1\n203.0.113.7\r\n', '203.0.113.7', true],
		['198.51.100.1;203.0.113.7', '203.0.113.7', true],
		['198.51.100.1 203.0.113.7', '203.0.113.7', true],
		['198.51.100.1 203.0.113.7', '198.51.100.17', false],
		['10.0.0.0/8', undefined, false],
		['10.0.0.0/8', 'unknown', false],
		['10.0.0.0/8', ['10.1.1.1'], false],
	])('the list %j allows a sender at %j: %s', (list, sender, expected) => {
		expect(read(list).problems).toEqual([]);
		expect(allows(list, sender)).toBe(expected);
	});

	it.each([
		'10.0.0',
		'10.0.0.256',
		'010.0.0.1',
		'10.0.0.0/33',
		'10.0.0.0/08',
		'10.0.0.0/',
		'10.0.0.0/8x',
		'1:2:3:4:5:6:7:g',
		'10.0.0.*',
		'2001:db8::/129',
		'2001:db8:::1',
		'1::2::3',
		'1:2:3:4:5:6:7',
		'1:2:3:4:5:6:7:8::',
		'12345::',
		'fe80::1%eth0',
		'10.0.0.1::',
		'0x0a.0.0.1',
		'10.0.0.0/-8',
		'10.0.0.0/255.0.0.0',
		'10.0.0.1-10.0.0.9',
		'10.0.0.1:443',
		'[2001:db8::1]',
		'localhost',
		'example.com',
		'\u200b10.0.0.1',
		'１０.0.0.1',
	])('the entry %s is refused, and no sender is allowed', (entry) => {
		const list = `0.0.0.0/0, ::/0, ${entry}`;
		expect(read(list).problems).toEqual([expect.stringContaining(`IP Allowlist has "${entry}"`)]);
		expect(allows(list, '198.51.100.1')).toBe(false);
	});

	it.each(['', ' , ', undefined, null, 5, ['10.0.0.1']])(
		'a list that is %j allows no sender',
		(list) => {
			expect(read(list).problems).toEqual([expect.stringContaining('IP Allowlist is empty')]);
			expect(allows(list, '10.0.0.1')).toBe(false);
		},
	);

	it("the list agrees with Node's block list", () => {
		const address = fc.oneof(fc.ipV4(), fc.ipV6());
		fc.assert(
			fc.property(address, address, fc.nat(128), fc.nat(128), (network, other, bits, same) => {
				const [width, family] = isIPv6(network) ? [128, 'ipv6'] : ([32, 'ipv4'] as const);
				const prefix = Math.min(bits, width);
				const list = new BlockList();
				list.addSubnet(network, prefix, family as 'ipv4' | 'ipv6');
				// A neighbour of the network, so that both answers occur.
				const sender = same % 2 === 0 ? network : other;
				const known = list.check(sender, isIPv6(sender) ? 'ipv6' : 'ipv4');
				fc.pre(isIPv6(network) === isIPv6(sender) && !/^(?:::|0:0:0:0:0:)/.test(sender + network));
				expect(allows(`${network}/${prefix}`, sender)).toBe(known);
			}),
			{ numRuns: 500 },
		);
	});
});
