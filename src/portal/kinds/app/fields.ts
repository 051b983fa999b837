// Geoapps and geostories: items whose content is one JSON document.

import { type Field, makeRecordType, type RecordType } from '../../fields/field.ts';
import { writtenColumn } from '../../fields/field-makers.ts';
import { commonFields, headFields, stamped } from '../item/common-fields.ts';
import { blob, data } from './app-data.ts';

const appFields: readonly Field[] = stamped([
  writtenColumn('name', { kind: 'text', max: 255 }, 'Name, unique among apps.', { required: true }),
  writtenColumn('zoom', { kind: 'integer', min: 0, max: 30 }, 'Zoom level.', { nullable: true }),
  writtenColumn('projection', { kind: 'text', max: 32, blank: true }, 'Coordinate system of the view.', {
    nullable: true,
  }),
  writtenColumn('center_x', { kind: 'number' }, 'Centre of the view.', { nullable: true }),
  writtenColumn('center_y', { kind: 'number' }, 'Centre of the view.', { nullable: true }),
  writtenColumn('urlsuffix', { kind: 'text', max: 255, blank: true }, 'End of an address of its own.', {
    nullable: true,
  }),
]);

/** An app is titled after its name when it has no title. */
const titledByName: readonly Field[] = commonFields.map((field) =>
  field.name === 'title' ? { ...field, required: false } : field,
);

export const geoapp: RecordType = makeRecordType('geoapp', 'geoapps', [
  ...headFields,
  ...appFields,
  data,
  blob,
  ...titledByName,
]);

export const geostory: RecordType = makeRecordType('geostory', 'geostories', [
  ...headFields,
  ...appFields,
  ...stamped([writtenColumn('app_type', { kind: 'text', max: 255 }, 'Kind of app.', { initial: 'GeoStory' })]),
  data,
  blob,
  ...titledByName,
]);
