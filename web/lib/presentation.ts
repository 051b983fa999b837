// How a layer's features are shown, out of its record and of what a map has changed of it. Pure.

import { parseColumnFormat } from '../../src/geo/presentation/column-format.ts';
import { type ColumnLook, type Popup, parsePopup, USUAL_POPUP } from '../../src/geo/presentation/presentation.ts';
import { type ReaderWords, type Shown, type ShownColumn, showValue } from '../../src/geo/presentation/show-value.ts';
import type { Attribute, Layer } from '../api/types.ts';
import type { Text } from './i18n/text.ts';

/** What a map has of its own for a layer; undefined parts: as the layer has them. */
export type LayerLook = {
  readonly columns: readonly ColumnLook[] | undefined;
  readonly popup: Popup | undefined;
};
export const NO_LOOK: LayerLook = { columns: undefined, popup: undefined };

export const isPlace = ({ attribute_type }: Pick<Attribute, 'attribute_type'>): boolean =>
  attribute_type.startsWith('gml:');

/** Columns of values, in their order. */
export function looksOf({ attribute_set }: Pick<Layer, 'attribute_set'>): readonly ColumnLook[] {
  return attribute_set
    .filter((one) => !isPlace(one))
    .map(({ attribute, attribute_label, visible, format }) => ({
      column: attribute,
      label: attribute_label ?? '',
      visible,
      format: parseColumnFormat(format),
    }));
}

export function popupOf({
  popup,
  use_featureinfo_custom_template: isTemplate,
  featureinfo_custom_template: template,
}: Pick<Layer, 'popup' | 'use_featureinfo_custom_template' | 'featureinfo_custom_template'>): Popup {
  const parsed = parsePopup({ ...popup, kind: isTemplate ? 'template' : 'list', template: template ?? '' });
  return parsed.ok ? parsed.value : USUAL_POPUP;
}

/** The layer as a map shows it: columns that the map does not know are behind those it does. */
export function withLook(layer: Layer, { columns, popup }: LayerLook): Layer {
  if (columns === undefined && popup === undefined) return layer;
  const looks = new Map(columns?.map((look, i) => [look.column, { look, i }]));
  const placeOf = ({ attribute }: Attribute): number => looks.get(attribute)?.i ?? looks.size;
  const attributes = layer.attribute_set.map((one): Attribute => {
    const look = looks.get(one.attribute)?.look;
    if (look === undefined) return one;
    const { label, visible, format } = look;
    return { ...one, attribute_label: label === '' ? null : label, visible, format: format ?? null };
  });
  return {
    ...layer,
    attribute_set: columns === undefined ? layer.attribute_set : attributes.toSorted((a, b) => placeOf(a) - placeOf(b)),
    ...(popup === undefined
      ? {}
      : {
          popup: { title: popup.title, columns: popup.columns ?? null, charts: popup.charts },
          use_featureinfo_custom_template: popup.kind === 'template',
          featureinfo_custom_template: popup.template,
        }),
  };
}

export function readerWords(t: Text): ReaderWords {
  return { language: t.language, yes: t('data.yes'), no: t('data.no') };
}

/** A value of a column that is described by the catalogue. */
export const shownValue = (t: Text, value: unknown, column: Pick<Attribute, 'attribute' | 'format'>): Shown =>
  showValue(value, shownColumn(column), readerWords(t));

export const shownColumn = ({ attribute, format }: Pick<Attribute, 'attribute' | 'format'>): ShownColumn => ({
  name: attribute,
  format: parseColumnFormat(format),
});
