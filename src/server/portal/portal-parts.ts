// What a process with a portal or its workers is made of, loaded together when there is one: `survest rest` needs none of it, and
// starts in half the time without.

export { makeReplicaReads } from '../../auth/replica-reads.ts';
export { startSweeping } from '../../portal/accounts/sweep.ts';
export { startEmptyingBin } from '../../portal/bin/empty-bin.ts';
export { followMode } from '../../portal/mode/follow-mode.ts';
export { makeSessionBearer } from '../../portal/oidc/session-bearer.ts';
export { startHeartbeat } from '../../portal/operation/heartbeat.ts';
export { countOperation } from '../../portal/operation/operation-counts.ts';
export { startFillingSearch } from '../../portal/query/fill-search.ts';
export { makeDemo } from '../demo/make-demo.ts';
export { openBlobStore, openFilePlace } from './open-blob-store.ts';
export { openHarvesting } from './open-harvesting.ts';
export { openImports } from './open-imports.ts';
export { openOverviews } from './open-overviews.ts';
export { openPortalApp } from './open-portal-app.ts';
export { openThumbnails } from './open-thumbnails.ts';
export { preparePortal, withPortalTokens } from './prepare-portal.ts';
