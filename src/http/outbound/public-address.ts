// Which IP addresses belong to the internet at large: everything but this machine, its networks, and ranges with a special purpose
// (IANA's registries). The guard against server-side request forgery; pure.

import { BlockList, isIP } from 'node:net';

/** As `net` has them: the network and the length of its prefix. */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Within 2000::/3, the only range of IPv6 that is routed: tunnels that hold an IPv4 address, and addresses for documentation. */
const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [net, prefix] of SPECIAL_V4) special.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of SPECIAL_V6) special.addSubnet(net, prefix, 'ipv6');
const routed = new BlockList();
routed.addSubnet('2000::', 3, 'ipv6');

/** What is no IP address is not public. IPv4 addresses within IPv6 ones (`::ffff:127.0.0.1`, `64:ff9b::…`) are none of 2000::/3. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return routed.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}
