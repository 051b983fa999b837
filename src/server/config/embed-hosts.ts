// `embed-hosts`: sites whose pages stories may show, as host names: `player.vimeo.com, video.example.org:8443`.

import type { OptionType } from '../../kernel/options/option.ts';
import { listOrNone } from '../../kernel/options/types/list.ts';
import { err } from '../../kernel/result.ts';

/** As it stands in a content policy: nothing but letters, digits, dots and hyphens, and maybe a port. */
const HOST = /^[a-z0-9][a-z0-9.-]{0,252}(?::\d{1,5})?$/;
const MAX = 50;

const hosts = listOrNone({
  accepts: 'host names such as player.vimeo.com, separated by commas',
  complaint: (host) =>
    HOST.test(host) && host.includes('.')
      ? undefined
      : 'has something that is no host name: no https://, no path, no *',
});

export const embedHosts: OptionType<readonly string[]> = {
  ...hosts,
  parse(raw) {
    const parsed = hosts.parse(raw);
    return parsed.ok && parsed.value.length > MAX ? err(`names more than ${MAX} sites`) : parsed;
  },
};
