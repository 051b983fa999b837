// `remote-hosts` and `remote-internal-hosts`: hosts whose services are asked on behalf of people: `maps.example.org, *.example.net, gis.example.org:8443`.

import type { OptionType } from '../../kernel/options/option.ts';
import { listOrNone } from '../../kernel/options/types/list.ts';
import { err } from '../../kernel/result.ts';

/** As a URL has it: small letters, and the port only where it is not that of the scheme. */
const HOST = /^[a-z0-9_][a-z0-9_.-]{0,252}(?::\d{1,5})?$/;
const LITERAL_V6 = /^\[[0-9a-f:.]{2,45}\](?::\d{1,5})?$/;
const MAX = 200;

export const remoteHosts: OptionType<readonly string[]> = hostList(
  'host names such as maps.example.org, *.example.org or maps.example.org:8443, separated by commas',
  (host) => HOST.test(host.startsWith('*.') ? host.slice(2) : host) && host.includes('.'),
);

export const remoteInternalHosts: OptionType<readonly string[]> = hostList(
  'host names or addresses such as gis.intern:8080, separated by commas',
  (host) => HOST.test(host) || LITERAL_V6.test(host),
);

function hostList(accepts: string, isHost: (host: string) => boolean): OptionType<readonly string[]> {
  const hosts = listOrNone({
    accepts,
    complaint: (host) =>
      isHost(host)
        ? undefined
        : `has ${JSON.stringify(host.slice(0, 60))}, which is no host: no https://, no path, small letters`,
  });
  return {
    ...hosts,
    parse(raw) {
      const parsed = hosts.parse(raw);
      return parsed.ok && parsed.value.length > MAX ? err(`names more than ${MAX} hosts`) : parsed;
    },
  };
}
