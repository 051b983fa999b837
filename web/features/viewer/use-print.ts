// Prints the map as it is: its picture, the legends of what is shown, and whose data it is made of.

import type { RefObject } from 'react';
import { occurringNow } from '../../api/missing-values.ts';
import { detailText } from '../../lib/detail.ts';
import { useText } from '../../lib/i18n/text.ts';
import { filterText } from '../../lib/layer-filter.ts';
import { legendEntries } from '../../map/layer-source.ts';
import type { MapHandle } from '../../map/MapView.tsx';
import { keyOf, type LoadedSources } from '../../map/use-layer-sources.ts';
import { attributeNames, legendHeading, legendLabel } from '../resource/Legend.tsx';
import { refOf } from './drawn-layers.ts';
import { type PrintOptions, printMap, sheetOf } from './print-map.ts';
import { type AnyLayer, hasData, titleOf } from './viewer-state.ts';

/** False: the map could not be drawn. */
export type Print = (options: PrintOptions) => Promise<boolean>;

export function usePrint(map: RefObject<MapHandle | null>, seen: readonly AnyLayer[], sources: LoadedSources): Print {
  const t = useText();
  return async (options) => {
    const { map: place } = sheetOf(options);
    const printed = await map.current?.print([place.width, place.height], options.dpi / 96);
    if (printed === null || printed === undefined) return false;
    const shown = seen.filter(({ visible }) => visible);
    const notesOf = (one: AnyLayer): readonly string[] => [
      ...(hasData(one) && one.filter !== undefined
        ? [t('filter.only', { filter: filterText(t, one.filter, attributeNames(one.layer)) })]
        : []),
      ...printed.details.filter(({ id }) => id === one.key).map(({ detail }) => detailText(t, detail)),
    ];
    const told = shown.map(async (one) => {
      if (!hasData(one)) return { title: titleOf(one), entries: [], notes: [] };
      const source = sources.get(keyOf(refOf(one)));
      const all = source?.ok === true ? legendEntries(source.value, one.draft ?? one.own, one.opacity) : [];
      const entries = await occurringNow(one.layer.pk, all);
      const names = attributeNames(one.layer);
      return {
        title: one.layer.title,
        notes: notesOf(one),
        entries: entries.map((entry) => ({
          ...entry,
          label: legendLabel(entry.label, t),
          attribute: entry.attribute === undefined ? undefined : legendHeading(entry, names, t),
        })),
      };
    });
    const legends = await Promise.all(told);
    // Whose map it stands on, as the map itself says it.
    const credits = document.querySelector('.viewer-map .maplibregl-ctrl-attrib-inner')?.textContent ?? '';
    // Without a legend, what it would say of a layer stands beside its name.
    const names = shown.map((one) => [titleOf(one), ...(options.hasLegend ? [] : notesOf(one))].join(': '));
    const note = [names.join(' · '), credits, t.date(new Date().toISOString())];
    await printMap(printed.picture, options, {
      legends,
      note: note.filter((part) => part !== '').join(' — '),
      metresPerPixel: printed.metresPerPixel,
      land: getComputedStyle(document.querySelector('.viewer') ?? document.body).getPropertyValue('--map-land'),
    });
    return true;
  };
}
