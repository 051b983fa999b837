// Where a map looks, in the address: `#5.2/52.5/13.4` (zoom, latitude, longitude). Pure.

export type View = { readonly center: readonly [number, number]; readonly zoom: number };

export function parseView(hash: string): View | undefined {
  const [zoom = Number.NaN, lat = Number.NaN, lng = Number.NaN, ...more] = hash
    .split('/')
    .map((part) => (part === '' ? Number.NaN : Number(part)));
  const isView = more.length === 0 && zoom >= 0 && zoom <= 24 && Math.abs(lat) <= 90 && Math.abs(lng) <= 360;
  return isView ? { center: [lng, lat], zoom } : undefined;
}

export function viewHash({ center: [lng, lat], zoom }: View): string {
  return `#${zoom.toFixed(2)}/${lat.toFixed(5)}/${lng.toFixed(5)}`;
}
