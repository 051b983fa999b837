// What the global setup tells every test file about the engines of this run.

import type { EmbeddedAssets } from '../../src/pg/pglite/embedded-assets.ts';

export type Engine = 'postgres' | 'pglite';

export const ENGINES: readonly Engine[] = ['postgres', 'pglite'];

export type EngineState = { readonly kind: 'ready' } | { readonly kind: 'absent'; readonly reason: string };

export type Engines = {
  readonly postgres: EngineState & { readonly uri?: string };
  readonly pglite: EngineState & { readonly assets?: EmbeddedAssets };
  /** Begins the name of every database of this run, so that two runs can share one server. */
  readonly prefix: string;
};

/** Stands in the name of a suite that could not run; the reporter lists these at the end. */
export const NOT_RUN = ' — not run: ';

declare module 'vitest' {
  export interface ProvidedContext {
    engines: Engines;
  }
}
