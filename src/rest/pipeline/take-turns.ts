// On an engine where callers take turns, whatever a request asks is asked in the turn of its caller.

import { addressKey } from '../../kernel/address-key.ts';
import type { Driver } from '../../pg/driver.ts';
import type { Who } from '../auth/authenticate.ts';
import { asCaller } from '../run/as-caller.ts';

/** The exchange, asking in the turn of whom its token is about, or else of the address that it comes from. */
export function takeTurns<E extends { readonly driver: Driver; readonly address: string | undefined }>(
  exchange: E,
  { claims, hasToken }: Who,
): E {
  const { driver, address } = exchange;
  if (driver.can.overlap) return exchange;
  const { sub } = claims;
  return {
    ...exchange,
    driver: asCaller(driver, hasToken && typeof sub === 'string' ? `sub ${sub}` : addressKey(address)),
  };
}
