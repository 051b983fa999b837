// What can be wrong with the settings, as data, and the words for it. No kind has room for the value of a secret.

import { describeOrigin, describePlace, type Origin, type Place } from './origin.ts';
import { READ_FAILURES, type ReadFailure } from './read-text.ts';

export type ConfigError =
  | {
      readonly kind: 'bad-value';
      readonly option: string;
      /** Undefined: the default clashes with another setting. */
      readonly origin: Origin | undefined;
      /** As the complaint may show it; undefined for secrets. */
      readonly value: string | undefined;
      readonly complaint: string;
      readonly accepts: string;
    }
  | {
      readonly kind: 'unknown-setting';
      readonly name: string;
      readonly origin: Origin;
      readonly near: string | undefined;
    }
  /** A setting of the whole program among those of one database. */
  | { readonly kind: 'not-in-section'; readonly name: string; readonly origin: Origin }
  /** The configuration file has none of this name. */
  | { readonly kind: 'no-such-section'; readonly name: string; readonly near: string | undefined }
  /** `@path` where nothing can be read. The path is not kept: a secret that begins with `@` would look like one. */
  | {
      readonly kind: 'unreadable-reference';
      readonly option: string;
      readonly origin: Origin;
      readonly reason: ReadFailure;
    }
  | { readonly kind: 'file-syntax'; readonly place: Place; readonly complaint: string }
  | {
      readonly kind: 'file-unreadable';
      readonly path: string;
      readonly reason: ReadFailure;
      readonly importedAt: Place | undefined;
    }
  | { readonly kind: 'import-cycle'; readonly path: string; readonly importedAt: Place };

/** One mistake in words: a line that names it, then indented lines with where it was given and what would be right. */
export function describeError(error: ConfigError): string {
  switch (error.kind) {
    case 'bad-value':
      return lines(`${error.option}: ${error.complaint}`, [
        ['given', givenWords(error.value, error.origin)],
        ['accepts', error.accepts],
      ]);
    case 'unknown-setting':
      return lines(`${error.name}: there is no such setting`, [
        ['given', describeOrigin(error.origin)],
        ['did you mean', error.near],
      ]);
    case 'not-in-section':
      return lines(`${error.name}: holds for the whole program, not for one database`, [
        ['given', describeOrigin(error.origin)],
        ['remedy', 'set it above the first section'],
      ]);
    case 'no-such-section':
      return lines(`[${error.name}]: the configuration file has no such section`, [['did you mean', error.near]]);
    case 'unreadable-reference':
      return lines(`${error.option}: the file named after the @ ${READ_FAILURES[error.reason]}`, [
        ['given', describeOrigin(error.origin)],
        ['accepts', 'the value itself, @ and the path of a file that holds it, or @@ for a value that begins with @'],
      ]);
    case 'file-syntax':
      return lines(`${describePlace(error.place)}: ${error.complaint}`, []);
    case 'file-unreadable':
      return lines(`${error.path}: the configuration file ${READ_FAILURES[error.reason]}`, [
        ['imported at', error.importedAt && describePlace(error.importedAt)],
      ]);
    case 'import-cycle':
      return lines(`${error.path}: the configuration file imports itself`, [
        ['imported at', describePlace(error.importedAt)],
      ]);
  }
}

/** All mistakes, as the program prints them before it exits with code 1. */
export function describeErrors(errors: readonly ConfigError[]): string {
  const count = errors.length === 1 ? '1 mistake' : `${errors.length} mistakes`;
  return `${count} in the settings, nothing was started:\n\n${errors.map(describeError).join('\n')}\n`;
}

/** All mistakes, as a running program logs them: line by line, without layout. */
export function errorLines(errors: readonly ConfigError[]): readonly string[] {
  return errors.flatMap((error) => describeError(error).split('\n')).map((line) => line.trim());
}

function givenWords(value: string | undefined, origin: Origin | undefined): string | undefined {
  if (origin === undefined) return value === undefined ? undefined : `${value} (the default)`;
  return value === undefined ? describeOrigin(origin) : `${value} (${describeOrigin(origin)})`;
}

function lines(head: string, rest: readonly (readonly [label: string, words: string | undefined])[]): string {
  return [head, ...rest.flatMap(([label, words]) => (words === undefined ? [] : [`  ${label}: ${words}`]))].join('\n');
}
