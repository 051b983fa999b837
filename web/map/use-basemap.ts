// The basemap of a map, by its id: the packaged ones at once, an operator's when the portal has said what it is.

import { useEffect, useMemo, useState } from 'react';
import { useLoaded } from '../api/use-loaded.ts';
import { isListOf, isObject, isText } from '../lib/guard.ts';
import { useText } from '../lib/i18n/text.ts';
import { useIsDark } from '../lib/theme.ts';
import type { Basemap, NamedBasemap, StyleDocument } from './basemap.ts';
import { PACKAGED } from './basemap.ts';

const WORLD_TILES = '/basemap/{z}/{x}/{y}.mvt';

/** Those of the operator, and which one is shown where nobody chose. */
export function useBasemaps(): { readonly usual: string; readonly named: readonly NamedBasemap[] } {
  const [loaded] = useLoaded('/api/v2/basemaps/');
  return useMemo(
    () =>
      loaded.kind === 'loaded'
        ? { usual: loaded.value.default ?? 'world', named: loaded.value.basemaps }
        : { usual: 'world', named: [] },
    [loaded],
  );
}

export function useBasemap(chosen: string | undefined): Basemap {
  const isPageDark = useIsDark();
  const { language } = useText();
  const { usual, named } = useBasemaps();
  const id = chosen ?? usual;
  const of = PACKAGED.some((one) => one === id) ? undefined : named.find((one) => one.id === id);
  const isDark = id === 'dark' || (id !== 'light' && isPageDark);
  const address = of?.kind === 'style' ? ((isDark ? of.dark_style : null) ?? of.style) : undefined;
  const document = useStyleDocument(address);
  return useMemo(() => {
    if (id === 'none') return { kind: 'none', isDark };
    if (of?.kind === 'raster') return { kind: 'raster', isDark, of };
    if (of !== undefined && document !== undefined) return { kind: 'style', isDark, of, document };
    // What is not known, or not yet, is the world.
    return { kind: 'world', isDark, tiles: window.location.origin + WORLD_TILES, language };
  }, [id, isDark, of, document, language]);
}

const isStyle = (value: unknown): value is StyleDocument & Readonly<Record<string, unknown>> =>
  isObject(value) && isObject(value['sources']) && isListOf(isObject)(value['layers']);

function useStyleDocument(address: string | undefined): StyleDocument | undefined {
  const [found, setFound] = useState<{ readonly address: string; readonly document: StyleDocument }>();
  useEffect(() => {
    if (address === undefined) return;
    const asked = new AbortController();
    fetch(address, { signal: asked.signal })
      .then((reply) => reply.json())
      .then((value: unknown) => {
        if (!isStyle(value)) return;
        const { sources, layers } = value;
        const sprite = isText(value.sprite) ? { sprite: value.sprite } : {};
        setFound({ address, document: { sources, layers, ...sprite } });
      })
      .catch(() => undefined);
    return () => asked.abort();
  }, [address]);
  return found !== undefined && found.address === address ? found.document : undefined;
}
