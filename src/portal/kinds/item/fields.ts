// Items of every type together, as `/api/v2/resources/` shows them.

import { makeRecordType, type RecordType } from '../../fields/field.ts';
import { commonFields, headFields } from './common-fields.ts';

export const resource: RecordType = makeRecordType('resource', 'resources', [...headFields, ...commonFields]);
