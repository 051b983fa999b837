// The folder docs/ → its documents: docs/NAME.md in English, docs/LANGUAGE/NAME.md translated.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParsedDoc, parseDoc } from './parse-doc.ts';

export const TRANSLATED = ['de', 'fr', 'es'] as const;
type Translated = (typeof TRANSLATED)[number];

export type Docs = {
  /** By name. */
  readonly english: ReadonlyMap<string, ParsedDoc>;
  readonly translations: Readonly<Record<Translated, ReadonlyMap<string, ParsedDoc>>>;
};

export function readDocs(folder: string): Docs {
  const known = new Set(namesIn(folder));
  const read = (at: string): ReadonlyMap<string, ParsedDoc> =>
    new Map(namesIn(at).map((name) => [name, parseDoc(readFileSync(join(at, `${name}.md`), 'utf8'), known)]));
  const [de, fr, es] = TRANSLATED.map((language) => read(join(folder, language)));
  const none: ReadonlyMap<string, ParsedDoc> = new Map();
  return { english: read(folder), translations: { de: de ?? none, fr: fr ?? none, es: es ?? none } };
}

function namesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []));
}
