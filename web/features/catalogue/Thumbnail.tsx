// The picture of an item. Where there is none: where on Earth the item lies, or the sign of its type.

import { useState } from 'react';
import type { Resource } from '../../api/types.ts';
import { extentOf } from '../../lib/bbox.ts';
import { withLink } from '../../lib/share-link.ts';
import { Icon } from '../../ui/Icon.tsx';

/** The continents, in the colour of the page; made by the build. */
const LAND = { maskImage: 'url(/basemap/land.svg)' } as const;

export function Thumbnail({ item }: { readonly item: Resource }) {
  const [isBroken, setBroken] = useState(false);
  const address = ownAddress(item.thumbnail_url);
  if (address !== undefined && !isBroken) {
    return (
      <div className="thumb">
        <img src={withLink(address)} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      </div>
    );
  }
  const extent = extentOf(item.ll_bbox_polygon);
  return (
    <div className={`thumb none ${item.resource_type}`} aria-hidden="true">
      <div className="thumb-land" style={LAND} />
      <svg viewBox="-180 -90 360 180" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <g className="thumb-grid">
          {[-150, -120, -90, -60, -30, 0, 30, 60, 90, 120, 150].map((x) => (
            <path key={x} d={`M${x} -90V90`} />
          ))}
          {[-60, -30, 0, 30, 60].map((y) => (
            <path key={y} d={`M-180 ${y}H180`} />
          ))}
        </g>
        {extent !== undefined && (
          <rect
            className="thumb-extent"
            x={extent[0]}
            y={-extent[3]}
            width={Math.max(3, extent[2] - extent[0])}
            height={Math.max(3, extent[3] - extent[1])}
          />
        )}
      </svg>
      <Icon name={item.resource_type} />
    </div>
  );
}

/** Pictures are shown from this portal only; the address may name it by another of its names. */
function ownAddress(url: string | null): string | undefined {
  if (url === null || url === '') return undefined;
  try {
    const address = new URL(url, window.location.href);
    if (address.origin === window.location.origin) return address.href;
    return address.pathname.startsWith('/thumbs/') ? address.pathname + address.search : undefined;
  } catch {
    return undefined;
  }
}
