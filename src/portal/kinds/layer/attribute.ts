// Attributes of layers: the columns of their tables, described.

import { raw } from '../../../sql/index.ts';
import { makeRecordType, type RecordType, type Relation } from '../../fields/field.ts';
import { computed, shownColumn } from '../../fields/field-makers.ts';

const statistic = (name: string) =>
  shownColumn(name, { kind: 'text', max: 255 }, 'Statistic of the column, as text; `NA` where there is none.');

const attribute: RecordType = makeRecordType('attribute', 'attributes', [
  shownColumn('pk', { kind: 'integer' }, 'Id of the attribute.', { column: 'id' }),
  shownColumn('attribute', { kind: 'text', max: 255 }, 'Name of the column.'),
  shownColumn('description', { kind: 'text', max: 2000 }, 'What it means.', { nullable: true }),
  shownColumn('attribute_label', { kind: 'text', max: 255 }, 'Name for people.', { nullable: true }),
  shownColumn('attribute_type', { kind: 'text', max: 50 }, 'Type, such as `xsd:string`.'),
  shownColumn('visible', { kind: 'boolean' }, 'Shown to people.'),
  shownColumn('display_order', { kind: 'integer' }, 'Place among the attributes.'),
  shownColumn('featureinfo_type', { kind: 'text' }, 'How a value is shown.'),
  computed(
    'format',
    { kind: 'json' },
    'How its values are shown: `{"kind": "currency", "currency": "EUR"}`; null: as they are. Written at `/presentation`.',
    (row) => raw(`portal.attribute_format(${row}.format, ${row}.featureinfo_type)`),
    { nullable: true },
  ),
  shownColumn('count', { kind: 'integer' }, 'How many values there are.'),
  statistic('min'),
  statistic('max'),
  statistic('average'),
  statistic('median'),
  statistic('stddev'),
  statistic('sum'),
  shownColumn('unique_values', { kind: 'text' }, 'Its different values; `NA` where they were not counted.'),
  shownColumn('last_stats_updated', { kind: 'datetime' }, 'When the statistics were made.'),
]);

export const attributesOfLayer: Relation = {
  recordType: () => attribute,
  rows: (outer, inner) => ({ from: raw(`portal.attribute ${inner}`), on: raw(`${inner}.resource_id = ${outer}.id`) }),
  order: (inner) => raw(`${inner}.display_order, ${inner}.id`),
};
