// The map services on the portal's address: they find layers through the portal's catalogue, and its callers are theirs.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { MapContext } from '../../mapserver/map-context.ts';
import { registerMapServices } from '../../mapserver/register-map-services.ts';
import type { DrawNamedBasemap } from '../../mapserver/thumbnails/named-basemap.ts';
import { makeLayerAccess } from '../../portal/layers/layer-access.ts';
import type { PortalOptions } from '../../portal/portal-app.ts';
import { linkedAddress } from '../../portal/share-links/link-of-request.ts';
import { makeStyleStore } from '../../portal/styles/style-store.ts';
import { makeThumbnailStore } from '../../portal/thumbnails/thumbnail-store.ts';

export function mountMapServices(parts: {
  readonly db: CallerDb;
  readonly blobs: BlobStore;
  readonly csvFormulaGuard?: boolean;
  readonly geocoder?: MapContext['geocoder'];
  readonly drawNamedBasemap?: DrawNamedBasemap | undefined;
}): NonNullable<PortalOptions['services']> {
  const { db, blobs, csvFormulaGuard = true, geocoder, drawNamedBasemap } = parts;
  const thumbnails = makeThumbnailStore(db);
  return (app, portal) =>
    registerMapServices(app, {
      db,
      blobs,
      csvFormulaGuard,
      geocoder,
      layers: makeLayerAccess(db),
      styleStore: makeStyleStore(db),
      thumbnails,
      drawNamedBasemap,
      serviceLayers: makeLayerAccess(thumbnails.serviceDb),
      async identify(request, reply) {
        const who = await portal.identify(request);
        if (who.ok) return who.value;
        portal.answerError(request, reply, who.error);
        return undefined;
      },
      answerError: portal.answerError,
      baseUrl: portal.baseUrl,
      serviceUrl: (request, path) => linkedAddress(request, portal.baseUrl(request) + path),
      now: () => portal.clock.now(),
      observe: portal.observe,
    });
}
