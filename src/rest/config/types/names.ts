// Names that go into HTTP or into the database, with the form those places demand.

import type { OptionType } from '../../../kernel/options/option.ts';
import { text } from '../../../kernel/options/types/text.ts';

/** The characters of RFC 9110 tokens. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const headerName: OptionType<string> = text({
  accepts: 'the name of a header, such as X-Request-Id',
  complaint: (value) => (TOKEN.test(value) ? undefined : 'is not the name of a header'),
});

export const cookieName: OptionType<string> = text({
  accepts: 'the name of a cookie, such as token',
  complaint: (value) => (TOKEN.test(value) ? undefined : 'is not the name of a cookie'),
});

const LONGEST_NAME = 63; // bytes; PostgreSQL refuses longer channels and cuts longer names

export const channelName: OptionType<string> = text({
  accepts: `text of at most ${LONGEST_NAME} bytes`,
  complaint: (value) => (Buffer.byteLength(value) <= LONGEST_NAME ? undefined : 'is too long for a channel'),
});

const HOST = /^(?:[A-Za-z0-9_]|[A-Za-z0-9_][A-Za-z0-9_.-]{0,251}[A-Za-z0-9_]|\[[0-9A-Fa-f:.]{2,45}\])$/;

export function hostComplaint(host: string): string | undefined {
  return HOST.test(host) ? undefined : 'has an element that is no host name';
}
