// What is on a map, for its readers: the layers from the top to the bottom, each with a switch, its filter and its legend, as far as the author wants
// them shown.

import { detailText } from '../../lib/detail.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Shows } from '../../lib/map-config.ts';
import { pathOfResource } from '../../lib/route.ts';
import { legendEntries } from '../../map/layer-source.ts';
import type { LayerDetail } from '../../map/use-details.ts';
import { keyOf, type LoadedSources } from '../../map/use-layer-sources.ts';
import { Link } from '../../ui/Link.tsx';
import { attributeNames, Legend } from '../resource/Legend.tsx';
import { refOf } from './drawn-layers.ts';
import { ExternalLegend, hasLegend } from './ExternalLegend.tsx';
import { FilterChips } from './FilterChips.tsx';
import { MapControls } from './MapControls.tsx';
import type { ReaderChoices } from './use-reader-choices.ts';
import { externalOf, hasData, isOfCatalogue, titleOf } from './viewer-state.ts';
import './map-contents.css';

export function MapContents({
  choices: { layers, show, narrow },
  sources,
  shows,
  details,
  hasLinks = false,
}: {
  readonly choices: ReaderChoices;
  readonly sources: LoadedSources;
  readonly shows: Pick<Shows, 'legend' | 'layers'>;
  readonly details: readonly LayerDetail[];
  /** Titles lead to the pages of the layers. */
  readonly hasLinks?: boolean;
}) {
  const t = useText();
  return (
    <ul className="map-contents">
      {layers.map((one) => {
        const { key, visible } = one;
        const title = titleOf(one);
        const external = externalOf(one);
        const source = hasData(one) ? sources.get(keyOf(refOf(one))) : undefined;
        const note = details.find(({ id }) => id === key);
        const name = hasLinks && isOfCatalogue(one) ? <Link to={pathOfResource(one.layer)}>{title}</Link> : title;
        return (
          <li key={key}>
            <div className="row tight">
              {shows.layers && (
                <input
                  type="checkbox"
                  aria-label={t('contents.show', { title })}
                  checked={visible}
                  onChange={(event) => show(key, event.target.checked)}
                />
              )}
              <span className="grow contents-title">{name}</span>
            </div>
            {hasData(one) && one.filter !== undefined && (
              <FilterChips filter={one.filter} names={attributeNames(one.layer)} />
            )}
            {shows.legend && visible && hasData(one) && source?.ok === true && (
              <Legend
                entries={legendEntries(source.value, one.own, one.opacity)}
                layer={one.layer.pk}
                title=""
                names={attributeNames(one.layer)}
              />
            )}
            {shows.legend && visible && external !== undefined && hasLegend(external.external) && (
              <ExternalLegend external={external.external} />
            )}
            {note !== undefined && <p className="legend-note">{detailText(t, note.detail)}</p>}
            {hasData(one) && (
              <div hidden={!visible}>
                <MapControls one={one} onPassing={(passing) => narrow(key, passing)} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
