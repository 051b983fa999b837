// GeoNetwork's client of OGC services, as its pages use it: what it says of a portal, as JSON. node ogc-client.mjs URL

import { OgcApiEndpoint, WfsEndpoint, WmsEndpoint, WmtsEndpoint } from '@camptocamp/ogc-client';

const [, , url] = process.argv;
const ogc = new OgcApiEndpoint(`${url}/ogc/`);
const records = new OgcApiEndpoint(`${url}/records`);
const wfs = await new WfsEndpoint(`${url}/wfs`).isReady();
const wms = await new WmsEndpoint(`${url}/wms`).isReady();
const wmts = await new WmtsEndpoint(`${url}/wmts`).isReady();
const [feature] = await ogc.getCollectionItems('parcels', 10);
const type = await wfs.getFeatureTypeFull('portal:parcels');
console.log(
  JSON.stringify({
    collections: (await ogc.allCollections).map(({ name }) => name),
    styles: await ogc.hasStyles,
    hasRecords: await records.hasRecords,
    items: await ogc.getCollectionItemsUrl('parcels', { asJson: true, limit: 5 }),
    feature: feature?.properties?.name,
    wfs: wfs.getFeatureTypes().map(({ name }) => name),
    columns: Object.keys(type.properties),
    count: type.objectCount,
    wms: wms.getLayers().flatMap((layer) => [layer.name, ...(layer.children ?? []).map(({ name }) => name)]),
    wmts: wmts.getLayers().map(({ name }) => name),
  }),
);
