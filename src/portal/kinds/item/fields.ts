// Items of every type together, as `/api/v2/resources/` shows them.

import { makeShape, type Shape } from '../../fields/field.ts';
import { commonFields, headFields } from './common-fields.ts';

export const resource: Shape = makeShape('resource', 'resources', [...headFields, ...commonFields]);
