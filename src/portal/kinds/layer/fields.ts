// Layers.

import { raw, sql } from '../../../sql/index.ts';
import { BASE, type BoundValue } from '../../fields/bound-value.ts';
import { makeRecordType, type RecordType } from '../../fields/field.ts';
import { computed, many, one, shownColumn, writtenColumn } from '../../fields/field-makers.ts';
import { commonFields, headFields, stamped } from '../item/common-fields.ts';
import { attributesOfLayer } from './attribute.ts';
import { defaultStyle, stylesOfLayer } from './style.ts';

const TIME_PATTERNS: readonly string[] = ['[0-9]{8}', '[0-9]{8}T[0-9]{6}', '[0-9]{8}T[0-9]{6}Z'];

export const layer: RecordType = makeRecordType('layer', 'layers', [
  ...headFields,
  ...stamped([
    shownColumn('name', { kind: 'text', max: 255 }, 'Name on the map server.'),
    shownColumn('workspace', { kind: 'text', max: 128 }, 'Workspace on the map server.', { nullable: true }),
    shownColumn('store', { kind: 'text', max: 128 }, 'Store on the map server.', { nullable: true }),
    shownColumn(
      'storeType',
      { kind: 'choice', choices: ['dataStore', 'coverageStore'] },
      '`dataStore`: vector, `coverageStore`: raster.',
      { column: 'store_type', nullable: true },
    ),
    shownColumn(
      'is_registered',
      { kind: 'boolean' },
      'A table of the database that is only read; when the layer is deleted, the table stays.',
    ),
    shownColumn(
      'remote',
      { kind: 'json' },
      'Of a layer of somebody else’s service: where it is, as `/api/v2/remote/` takes it, with `attribution` and `bbox`. Null: the portal has its data.',
      { nullable: true },
    ),
    shownColumn('charset', { kind: 'text', max: 255 }, 'Character set of the data.'),
    writtenColumn('is_mosaic', { kind: 'boolean' }, 'Put together of several rasters.', { initial: false }),
    writtenColumn('has_time', { kind: 'boolean' }, 'Has a time dimension.', { initial: false }),
    writtenColumn('has_elevation', { kind: 'boolean' }, 'Has a height dimension.', { initial: false }),
    writtenColumn('time_regex', { kind: 'choice', choices: TIME_PATTERNS }, 'How the time stands in names of files.', {
      nullable: true,
    }),
    writtenColumn('elevation_regex', { kind: 'text', max: 128 }, 'How the height stands in names of files.', {
      nullable: true,
    }),
    writtenColumn('use_featureinfo_custom_template', { kind: 'boolean' }, 'Show features with the template.', {
      initial: false,
    }),
    writtenColumn(
      'featureinfo_custom_template',
      { kind: 'text', max: 100_000, blank: true },
      'HTML to show a feature with.',
      { nullable: true },
    ),
    shownColumn(
      'default_filter',
      { kind: 'json' },
      'The filter that maps with the layer begin with, CQL2 as JSON; null: none. Readers can clear it, and services do not apply it. Written at `/presentation`.',
      { nullable: true },
    ),
    shownColumn(
      'popup',
      { kind: 'json' },
      'What a pop-up has beside the template: `{"title", "columns", "charts"}`; null: as usual. Written at `/presentation`.',
      { nullable: true },
    ),
  ]),
  ...stamped([
    one('default_style', 'The style that is used when none is asked for.', defaultStyle),
    many('styles', 'All styles.', stylesOfLayer),
  ]).map((field) => ({ ...field, followsStyles: true })),
  ...stamped([
    many('attribute_set', 'The columns of the layer.', attributesOfLayer),
    computed('ptype', { kind: 'text' }, 'How clients of GeoNode load it.', () => raw("'gxp_wmscsource'::text")),
    computed(
      'ows_url',
      { kind: 'text', format: 'uri' },
      'Address of its OGC services.',
      () => sql<BoundValue>`${BASE} || '/ows'`,
    ),
  ]),
  ...commonFields,
]);
