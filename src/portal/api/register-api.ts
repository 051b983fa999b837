// The API of the catalogue on the portal's application: every collection, and what each has besides.

import type { FastifyInstance } from 'fastify';
import { collectRoutes } from '../description/described-route.ts';
import { registerDiscovery } from '../discovery/register-discovery.ts';
import { registerBuiltIn } from '../geonode-compat/register-compat.ts';
import { registerCopyPath } from '../kinds/copy-path.ts';
import { registerAssetPaths } from '../kinds/document/asset-paths.ts';
import { documentHandlers, registerDocumentPaths } from '../kinds/document/paths.ts';
import { registerFacetPath } from '../kinds/facet/counts-path.ts';
import { registerFacetsPaths } from '../kinds/facet/topics-paths.ts';
import { registerLinkedPaths } from '../kinds/item/linked-paths.ts';
import { registerMatchesPath } from '../kinds/item/matches-path.ts';
import { registerMetadataForm } from '../kinds/item/metadata-form-paths.ts';
import { registerResourcePaths } from '../kinds/item/resource-paths.ts';
import { registerThumbnailPath } from '../kinds/item/thumbnail-path.ts';
import { registerUsedByPath } from '../kinds/item/used-by-path.ts';
import { registerVersionPaths } from '../kinds/item/version-paths.ts';
import { registerDataVersionsPath } from '../kinds/layer/data-versions-path.ts';
import { registerPresentationPaths } from '../kinds/layer/presentation-paths.ts';
import { registerTimeSeriesPaths } from '../kinds/layer/time-series-path.ts';
import { registerAvatar } from '../kinds/people/avatar.ts';
import { registerHandOverPath } from '../kinds/people/hand-over-path.ts';
import { registerViewerStore } from '../kinds/viewer/register-viewer-store.ts';
import { registerMetadata } from '../metadata/metadata-routes.ts';
import { registerOperationPaths } from '../monitoring/operation-paths.ts';
import type { Collection } from '../operations/collection.ts';
import type { ApiOptions } from '../operations/exchange.ts';
import { type OwnHandlers, registerCollection } from '../operations/register-collection.ts';
import { registerAudiencePaths } from '../permissions/audience-paths.ts';
import { registerLevelPaths } from '../permissions/level-paths.ts';
import { registerPermissionPaths } from '../permissions/permission-paths.ts';
import type { PortalContext } from '../portal-context.ts';
import { registerProvenancePaths } from '../provenance/provenance-path.ts';
import { registerShareLinkPaths } from '../share-links/share-link-paths.ts';
import { registerSocial } from '../social/register-social.ts';
import { registerSqlPaths } from '../sql-console/sql-paths.ts';
import { registerColumnPaths } from '../tables/column-paths.ts';
import { registerExtentPath } from '../tables/extent-path.ts';
import { registerHistoryPaths } from '../tables/history-paths.ts';
import { registerJoinPaths } from '../tables/join-paths.ts';
import { registerKeptDataPaths } from '../tables/kept-data-paths.ts';
import { registerRegisterPaths } from '../tables/register-paths.ts';
import { registerTablePaths } from '../tables/table-paths.ts';
import { registerBinPaths } from '../trash/trash-paths.ts';
import { registerAuditPaths } from './audit-paths.ts';
import { registerCrsPaths } from './crs-paths.ts';
import { registerSchema } from './openapi/register-schema.ts';
import { describedCollections, portalCollections } from './portal-collections.ts';
import { registerPreferencePaths } from './preference-paths.ts';
import { registerRelatedPaths } from './related-paths.ts';
import { registerSettingPaths } from './setting-paths.ts';

/** A document of a hundred megabytes is a large one. */
export const MAX_DOCUMENT_BYTES: number = 100 * 1024 * 1024;

/** `ofUploads`: undefined where no layers are taken in. */
export async function registerApi(
  app: FastifyInstance,
  portal: PortalContext,
  options: ApiOptions,
  ofUploads?: OwnHandlers,
): Promise<void> {
  const routes = collectRoutes(app);
  const context = { ...portal, ...options };
  const collections = portalCollections(options.blobs);
  const { all, datasets, served } = collections;
  const content = [all.resources, all.layers, all.maps, all.documents, all.geoapps, all.geostories];
  await app.register(async (scope) => {
    // Left on the wire until it is known who sends it.
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
    const documentsOwn = documentHandlers(context, all.documents);
    const own = new Map<Collection, OwnHandlers | undefined>([
      [all.documents, documentsOwn],
      [all.uploads, ofUploads],
    ]);
    for (const collection of served) {
      registerCollection(scope, context, collection, own.get(collection));
    }
    registerResourcePaths(scope, context, all.resources);
    registerFacetPath(scope, context, all.resources);
    registerFacetsPaths(scope, context, all.resources);
    registerMetadata(scope, context, all.resources);
    await registerDiscovery(scope, context, all.resources);
    registerPermissionPaths(scope, context);
    registerAudiencePaths(scope, context);
    registerShareLinkPaths(scope, context);
    registerLevelPaths(scope, context, [...content, datasets]);
    registerTablePaths(scope, context, [all.layers, datasets]);
    registerColumnPaths(scope, context, [all.layers.path, datasets.path]);
    registerExtentPath(scope, context, [all.layers.path, datasets.path]);
    registerPresentationPaths(scope, context, [all.layers.path, datasets.path]);
    registerTimeSeriesPaths(scope, context, [all.layers, datasets]);
    registerKeptDataPaths(scope, context, [all.layers.path, datasets.path]);
    registerHistoryPaths(scope, context, [all.layers.path, datasets.path]);
    registerJoinPaths(scope, context, [all.layers.path, datasets.path]);
    registerRegisterPaths(scope, context, all.layers);
    registerSqlPaths(scope, context);
    registerLinkedPaths(scope, context, all.resources, [...content, datasets]);
    registerCopyPath(scope, context, all);
    registerThumbnailPath(scope, context, [...content, datasets]);
    registerSettingPaths(scope, context);
    registerAuditPaths(scope, context);
    registerCrsPaths(scope, context);
    registerOperationPaths(scope, context);
    registerBinPaths(scope, context);
    registerPreferencePaths(scope, context);
    registerSocial(scope, context, all.resources);
    registerUsedByPath(scope, context);
    registerProvenancePaths(scope, context, ['/api/v2/layers', '/api/v2/datasets']);
    registerMatchesPath(scope, context);
    registerDataVersionsPath(scope, context);
    registerVersionPaths(scope, context, all);
    registerHandOverPath(scope, context);
    registerRelatedPaths(scope, context, all);
    registerDocumentPaths(scope, context);
    registerAssetPaths(scope, context, all);
    registerViewerStore(scope, context);
    const named = { ...all, ...byName(served) };
    registerMetadataForm(scope, context, all.resources, named);
    registerBuiltIn(scope, context, named, documentsOwn.create);
    registerSchema(scope, context, describedCollections(context, collections), options.version, routes);
  });
  registerAvatar(app);
}

/** Collections to look around by, each under its own name. */
function byName(collections: readonly Collection[]) {
  const named = (list: string): Collection => {
    const found = collections.find((collection) => collection.list === list);
    if (found === undefined) throw new Error(`there is no collection ${list}`);
    return found;
  };
  return {
    owners: named('owners'),
    categories: named('categories'),
    keywords: named('keywords'),
    regions: named('regions'),
    tkeywords: named('tkeywords'),
  };
}
