// Settings that are addresses, or may be: the proxy's, the audience of tokens, the database's.

import type { OptionType } from '../../../kernel/options/option.ts';
import { text } from '../../../kernel/options/types/text.ts';
import { ok } from '../../../kernel/result.ts';

/** RFC 3986 in the characters it allows; brackets only around an IPv6 host. */
const URI =
  /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/(?:[\w.~!$&'()*+,;=:%-]*@)?\[[0-9A-Fa-f:.]+\])?(?:[\w.~!$&'()*+,;=:@/?#-]|%[0-9A-Fa-f]{2})*$/;

const ABSOLUTE_HTTP = /^https?:\/\/(?:\[[0-9A-Fa-f:.]+\]|[^\s/?#@:[\]\\]+)(?::(\d{1,5}))?(?:\/[^?#]*)?$/i;

function isUri(value: string): boolean {
  return URI.test(value) && value.indexOf('#') === value.lastIndexOf('#');
}

/** An absolute http or https address with a host and nothing after its path. */
export function isPlainHttpAddress(value: string): boolean {
  const found = ABSOLUTE_HTTP.exec(value);
  if (found === null || !isUri(value) || !URL.canParse(value)) return false;
  const port = found[1];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65535);
}

export const proxyUri: OptionType<string> = text({
  accepts:
    'an absolute http or https address without user, query or fragment, such as https://example.com:8443/basePath',
  complaint: (value) =>
    isPlainHttpAddress(value) ? undefined : 'Malformed proxy uri, a correct example: https://example.com:8443/basePath',
});

export const jwtAudience: OptionType<string> = text({
  accepts: 'text without a colon, or a URI',
  complaint: (value) =>
    !value.includes(':') || isUri(value) ? undefined : 'jwt-aud should be a string or a valid URI',
});

const connection = text({
  accepts: 'a postgresql:// address, key=value pairs, or @ and the path of a file that holds one of them',
  complaint: (value) =>
    /^\s*(?:postgres(?:ql)?:\/\/|\w+\s*=)/.test(value)
      ? undefined
      : 'is neither a postgresql:// address nor key=value pairs',
});

/** A file that holds the address may have blanks around it. */
export const databaseUri: OptionType<string> = {
  ...connection,
  parse(raw) {
    const value = connection.parse(raw);
    return value.ok ? ok(value.value.trim()) : value;
  },
};
