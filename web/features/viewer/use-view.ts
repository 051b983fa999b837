// What part of the world the map shows: told by the map, kept in the address, and followed from there.

import { useEffect, useRef, useState } from 'react';
import type { Extent } from '../../lib/catalogue-state.ts';
import { rename } from '../../lib/navigation.ts';
import { parseView, type View, viewHash } from '../../lib/view-hash.ts';
import type { Moved } from '../../map/MapView.tsx';
import type { Destination } from './destination.ts';

export type ViewInUse = {
  /** Undefined until the map is there. */
  readonly extent: Extent | undefined;
  readonly here: () => View;
  readonly goTo: Destination | undefined;
  readonly go: (to: Destination) => void;
  readonly onMoved: (to: Moved) => void;
};

export function useView(): ViewInUse {
  const view = useRef<Moved | undefined>(undefined);
  const [extent, setExtent] = useState<Extent>();
  const [goTo, go] = useState<Destination>();
  // A link to another view of the same map, or an address typed by hand.
  useEffect(() => {
    const follow = (): void => {
      const to = parseView(window.location.hash.slice(1));
      if (to !== undefined) go({ camera: to });
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return {
    extent,
    here: () => view.current ?? { center: [0, 20], zoom: 1 },
    goTo,
    go,
    onMoved: (to) => {
      view.current = to;
      setExtent(to.extent);
      rename(window.location.pathname + window.location.search + viewHash(to));
    },
  };
}
