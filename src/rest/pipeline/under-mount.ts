// The reply of a service that stands below another path: addresses that it gives out begin with that path, so that they lead back to it.

import type { HttpReply } from '../../http/http-message.ts';

/** `mount`: without a slash at the end. */
export function underMount(reply: HttpReply, mount: string): HttpReply {
  const below = (address: string): string =>
    address.startsWith('/') && !address.startsWith('//') && !address.startsWith(`${mount}/`)
      ? mount + address
      : address;
  return {
    ...reply,
    headers: reply.headers.map(([name, value]) => {
      switch (name.toLowerCase()) {
        case 'location':
        case 'content-location':
          return [name, below(value)];
        case 'link':
          return [
            name,
            value.replace(/(^|,\s*)<([^<>]*)>/g, (_, before: string, to: string) => `${before}<${below(to)}>`),
          ];
        default:
          return [name, value];
      }
    }),
  };
}
