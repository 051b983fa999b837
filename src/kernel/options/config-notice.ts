// What is worth saying about the settings although the program can start with them.

import { describeOrigin, type Origin } from './origin.ts';

export type ConfigNotice =
  /** A setting of the model that has no meaning here. */
  | { readonly kind: 'foreign-setting'; readonly name: string; readonly origin: Origin }
  /** A variable with the model's prefix, or a setting in the database, that nobody knows. */
  | {
      readonly kind: 'unknown-ignored';
      readonly name: string;
      readonly origin: Origin;
      readonly near: string | undefined;
    }
  /** A known setting that the database may not set. */
  | { readonly kind: 'not-from-database'; readonly option: string; readonly origin: Origin }
  /** One source gave the same setting twice; `used` won. */
  | { readonly kind: 'given-twice'; readonly option: string; readonly used: Origin; readonly unused: Origin };

export function describeNotice(notice: ConfigNotice): string {
  switch (notice.kind) {
    case 'foreign-setting':
      return `${notice.name} has no meaning here and is ignored (${describeOrigin(notice.origin)})`;
    case 'unknown-ignored': {
      const hint = notice.near === undefined ? '' : `; did you mean ${notice.near}?`;
      return `${notice.name} is not a known setting and is ignored (${describeOrigin(notice.origin)})${hint}`;
    }
    case 'not-from-database':
      return `${notice.option} cannot be set in the database (${describeOrigin(notice.origin)} is ignored)`;
    case 'given-twice':
      return `${notice.option} is given twice: ${describeOrigin(notice.used)} is used, ${describeOrigin(notice.unused)} is not`;
  }
}
