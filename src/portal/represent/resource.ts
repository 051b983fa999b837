// Items of every type together, as `/api/v2/resources/` shows them.

import { commonFields, headFields } from './common.ts';
import { makeShape, type Shape } from './field.ts';

export const resource: Shape = makeShape('resource', 'resources', [...headFields, ...commonFields]);
