// Attacks on the built program with portal and map services. What can be tried at an address is tried at every address of its router, so that
// a new one is attacked from the day it is there.

import { describe } from 'vitest';
import { onBuiltPortal } from './built-portal.ts';
import { cacheKeys } from './cache-keys.ts';
import { forgedRequests } from './forged-requests.ts';
import { guessing } from './guessing.ts';
import { hiddenItems } from './hidden-items.ts';
import { hostileUploads } from './hostile-uploads.ts';
import { injectedLines } from './injected-lines.ts';
import { nothingIsFetched } from './nothing-is-fetched.ts';
import { registeredTables } from './registered-tables.ts';
import { remoteServices } from './remote-services.ts';

onBuiltPortal('the built program', (portal) => {
  describe('forged requests', () => forgedRequests(portal));
  describe('hidden items', () => hiddenItems(portal));
  describe('addresses in what people write', () => nothingIsFetched(portal));
  describe('cache keys', () => cacheKeys(portal));
  describe('injected lines', () => injectedLines(portal));
  describe('hostile files', () => hostileUploads(portal));
  describe('registered tables', () => registeredTables(portal));
  describe('services of others', () => remoteServices(portal));
  // Last: the guesser's address is shut out for a while.
  describe('guessing', () => guessing(portal));
});
