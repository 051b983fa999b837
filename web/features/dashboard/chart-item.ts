// A group of an aggregate, as charts show it: a bar, a slice, a point.

import type { AggregateGroup } from '../../api/aggregates.ts';

export type ChartItem = {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  readonly shown: string;
  readonly group: AggregateGroup | undefined;
  readonly isChosen: boolean;
};

export type ChartProps = {
  readonly label: string;
  readonly items: readonly ChartItem[];
  /** Something is chosen: what is not steps back. */
  readonly hasChosen: boolean;
  readonly onChoose: (item: ChartItem) => void;
};

export const look = (name: string, item: ChartItem, hasChosen: boolean): string =>
  `${name}${item.isChosen ? ' chosen' : hasChosen ? ' back' : ''}`;
