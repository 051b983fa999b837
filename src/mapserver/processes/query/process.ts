// A process: what it is, what it is given, and what it compiles to. A new one is a file with one of these, and a line in process-list.ts.

import type { Filter } from '../../../geo/cql/cql.ts';
import type { Result } from '../../../kernel/result.ts';
import type { LayerColumn, RasterLayer, VectorLayer } from '../../../layer-ports/layer.ts';
import type { ProcessDescription } from '../../../layer-ports/process.ts';
import type { Recipe } from './recipe.ts';

/** What of the inputs cannot be, by input. */
export type InputFaults = Readonly<Record<string, string>>;

/** The inputs, each of the kind that the description says it has: asked for by name, and there unless it is optional. */
export type Given = {
  layer(name: string): VectorLayer;
  layers(name: string): readonly VectorLayer[];
  raster(name: string): RasterLayer;
  /** The number of a band is one. */
  number(name: string): number;
  optionalNumber(name: string): number | undefined;
  choice(name: string): string;
  flag(name: string): boolean;
  column(name: string): LayerColumn | undefined;
  text(name: string): string;
  filter(name: string): Filter | undefined;
};

export type Process = ProcessDescription & {
  readonly compile: (given: Given) => Result<Recipe, InputFaults>;
};
