// What differs between the versions of the Web Feature Service: namespaces, GML, names of things. One table. Pure.

import type { WfsVersion } from './wfs-version.ts';

export type Dialect = {
  readonly version: WfsVersion;
  readonly wfs: string;
  readonly ows: string;
  /** Of filters, and of the ids in answers. */
  readonly filter: string;
  readonly filterPrefix: 'ogc' | 'fes';
  readonly gml: string;
  readonly gmlSchema: string;
  readonly wfsSchema: string;
  /** As ST_AsGML counts. */
  readonly gmlVersion: 2 | 3;
  /** Media type of features and schemas; the first of `formats`. */
  readonly type: string;
  readonly formats: readonly string[];
  /** Around a feature of a collection. */
  readonly member: string;
  /** The attribute of a feature with its id. */
  readonly id: 'fid' | 'gml:id';
  /** Names of systems that say nothing of axes. */
  readonly isShortCrs: boolean;
  /** The parameter with the name of the type. */
  readonly typeParameter: 'typeName' | 'typeNames';
};

const OGC = 'http://www.opengis.net';
const SCHEMAS = 'http://schemas.opengis.net';

export const DIALECTS: Readonly<Record<WfsVersion, Dialect>> = {
  '1.0.0': {
    version: '1.0.0',
    wfs: `${OGC}/wfs`,
    ows: `${OGC}/ows`,
    filter: `${OGC}/ogc`,
    filterPrefix: 'ogc',
    gml: `${OGC}/gml`,
    gmlSchema: `${SCHEMAS}/gml/2.1.2/feature.xsd`,
    wfsSchema: `${SCHEMAS}/wfs/1.0.0/WFS-basic.xsd`,
    gmlVersion: 2,
    type: 'text/xml; subtype=gml/2.1.2',
    formats: ['GML2', 'text/xml; subtype=gml/2.1.2', 'application/json', 'text/csv'],
    member: 'gml:featureMember',
    id: 'fid',
    isShortCrs: true,
    typeParameter: 'typeName',
  },
  '1.1.0': {
    version: '1.1.0',
    wfs: `${OGC}/wfs`,
    ows: `${OGC}/ows`,
    filter: `${OGC}/ogc`,
    filterPrefix: 'ogc',
    gml: `${OGC}/gml`,
    gmlSchema: `${SCHEMAS}/gml/3.1.1/base/gml.xsd`,
    wfsSchema: `${SCHEMAS}/wfs/1.1.0/wfs.xsd`,
    gmlVersion: 3,
    type: 'text/xml; subtype=gml/3.1.1',
    formats: ['text/xml; subtype=gml/3.1.1', 'application/json', 'text/csv'],
    member: 'gml:featureMember',
    id: 'gml:id',
    isShortCrs: false,
    typeParameter: 'typeName',
  },
  '2.0.0': {
    version: '2.0.0',
    wfs: `${OGC}/wfs/2.0`,
    ows: `${OGC}/ows/1.1`,
    filter: `${OGC}/fes/2.0`,
    filterPrefix: 'fes',
    gml: `${OGC}/gml/3.2`,
    gmlSchema: `${SCHEMAS}/gml/3.2.1/gml.xsd`,
    wfsSchema: `${SCHEMAS}/wfs/2.0/wfs.xsd`,
    gmlVersion: 3,
    type: 'application/gml+xml; version=3.2',
    formats: ['application/gml+xml; version=3.2', 'text/xml; subtype=gml/3.2', 'application/json', 'text/csv'],
    member: 'wfs:member',
    id: 'gml:id',
    isShortCrs: false,
    typeParameter: 'typeNames',
  },
};

/** Declarations of what documents of this version use. */
export function namesOf({ wfs, ows, filter, filterPrefix, gml }: Dialect): string {
  return `xmlns:wfs="${wfs}" xmlns:ows="${ows}" xmlns:${filterPrefix}="${filter}" xmlns:gml="${gml}" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema"`;
}

/** A system by its number, as this version names it. */
export function srsName({ isShortCrs }: Pick<Dialect, 'isShortCrs'>, srid: number): string {
  return isShortCrs ? `EPSG:${srid}` : `urn:ogc:def:crs:EPSG::${srid}`;
}
