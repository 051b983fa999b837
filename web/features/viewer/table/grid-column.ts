// A column of a table as its cells, filters and forms need it.

import type { Attribute } from '../../../api/types.ts';

export type GridColumn = Pick<Attribute, 'attribute' | 'attribute_label' | 'attribute_type' | 'description'> &
  Partial<Pick<Attribute, 'format'>>;
