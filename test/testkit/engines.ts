// What the global setup tells every test file about the engines of this run.

import type { EmbeddedAssets } from '../../src/pg/pglite/embedded-assets.ts';
import type { CompiledScripts } from './compiled-scripts.ts';

export type Engine = 'postgres' | 'pglite';

export const ENGINES: readonly Engine[] = ['postgres', 'pglite'];

export type EngineAbsent = { readonly kind: 'absent'; readonly reason: string };

export type Engines = {
  readonly postgres: EngineAbsent | { readonly kind: 'ready'; readonly about: string; readonly uri: string };
  readonly pglite:
    | EngineAbsent
    | {
        readonly kind: 'ready';
        readonly about: string;
        readonly assets: EmbeddedAssets;
        /** The port on loopback where warm engines are lent. */
        readonly host: number;
      };
  /** Begins the name of every database of this run, so that two runs can share one server. */
  readonly prefix: string;
  /** Every suite on both engines, also those that `embedded-suites.ts` does not list. */
  readonly everywhere: boolean;
};

/** Stands in the name of a suite or test that could not run, before the reason; the reporter counts these at the end. */
export const NOT_RUN = ' — not run: ';

/** A test that only keeps a suite without tests from being an error. */
export const LISTED = 'was listed';

declare module 'vitest' {
  export interface ProvidedContext {
    engines: Engines;
    scripts: CompiledScripts;
  }
}
