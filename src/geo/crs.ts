// Coordinate systems as OGC services name them. Pure; what a system is like (which axis comes first) the database knows.

export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** `http://www.opengis.net/def/crs/EPSG/0/25832` */
export function crsUri(srid: number): string {
  return `http://www.opengis.net/def/crs/EPSG/0/${srid}`;
}

/** A system as a client asks for it. CRS84 is 4326 with longitude first. */
export type CrsName = { readonly srid: number; readonly isCrs84: boolean };

const FORMS: readonly RegExp[] = [
  /^https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[\d.]{1,10}\/(\d{1,6})$/i,
  /^urn:(?:ogc|x-ogc):def:crs:EPSG:[\d.]{0,10}:(\d{1,6})$/i,
  /^https?:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#(\d{1,6})$/i,
  /^\[?EPSG:(\d{1,6})\]?$/i,
];
const CRS84_FORMS: readonly RegExp[] = [
  /^https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/[\d.]{1,10}\/CRS84h?$/i,
  /^urn:(?:ogc|x-ogc):def:crs:OGC:[\d.]{0,10}:CRS84h?$/i,
  /^\[?(?:OGC|CRS):(?:CRS)?84\]?$/i,
];

/** Undefined: no name of a system. */
export function parseCrs(text: string): CrsName | undefined {
  if (CRS84_FORMS.some((form) => form.test(text))) return { srid: 4326, isCrs84: true };
  for (const form of FORMS) {
    const code = form.exec(text)?.[1];
    if (code !== undefined) return { srid: Number(code), isCrs84: false };
  }
  return undefined;
}

/** Does the definition of a system (well-known text 1, as in spatial_ref_sys) put north before east? */
export function isNorthFirst(srtext: string): boolean {
  const axes = [...srtext.matchAll(/AXIS\["[^"]*",\s*([A-Z]+)\]/g)].map(([, direction]) => direction);
  // The last two are those of the whole: a projected system holds a geographic one.
  const [first] = axes.slice(-2);
  if (srtext.startsWith('GEOGCS')) return axes.length < 2 || first === 'NORTH';
  return axes.length >= 2 && (first === 'NORTH' || first === 'SOUTH');
}
