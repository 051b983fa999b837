// What went wrong with a service of somebody else, in words for who asked: which address or setting it is about, and what helps.

import { assertNever } from '../../kernel/assert-never.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { DescribeFault } from './describe/ask-service.ts';

export function remoteError(fault: DescribeFault): PortalError {
  const badGateway = (detail: string): PortalError => ({ kind: 'remote-failed', detail });
  switch (fault.kind) {
    case 'address':
      return { kind: 'bad-request', detail: fault.detail };
    case 'refused':
      return { kind: 'bad-request', detail: REFUSED[fault.why] };
    case 'too-large':
      return badGateway(`The service answered more than ${fault.maxBytes} bytes.`);
    case 'timeout':
      return badGateway(`The service did not answer within ${Math.round(fault.timeoutMs / 1000)} seconds.`);
    case 'redirects':
      return badGateway('The service sends from one address to the next.');
    case 'busy':
      return { kind: 'throttled', retryAfterSeconds: 1 };
    case 'unreachable':
      return badGateway(`The service cannot be reached (${fault.code}).`);
    case 'status':
      return badGateway(`The service answered with status ${fault.status}.`);
    case 'too-many-requests':
      return badGateway(`The service sends to more than ${fault.most} addresses before it says what it offers.`);
    case 'unknown-service':
      return badGateway(
        'The address answers, but not as a WMS, WMTS, WFS, CSW, OGC API, STAC, GeoNode or ArcGIS service. For tiles, give an address with {z}, {x} and {y}.',
      );
    default:
      return assertNever(fault);
  }
}

const REFUSED = {
  scheme: 'Only addresses of http and https are asked.',
  credentials: 'An address with a user name or a password is not asked.',
  host: 'This host is not asked: the setting remote-hosts does not name it.',
  'private-address':
    'This host has an address of a private network: it is asked only if the setting remote-internal-hosts names it.',
  address: 'This is no address that can be asked.',
} as const;
