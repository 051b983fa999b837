// A document and its translation → the page, section by section: the translation where it was made of what the English text says now, and the
// English text elsewhere. Readers are never told what is no longer true because nobody has translated it yet.

import type { DocBlock, DocPage, DocPart } from '../lib/docs/doc-page.ts';
import type { Language } from '../lib/i18n/text.ts';
import type { ParsedDoc, ParsedSection } from './parse-doc.ts';

export function englishPage({ title, sections }: ParsedDoc): DocPage {
  return { title, language: 'en', parts: [{ language: 'en', blocks: sections.flatMap(({ blocks }) => blocks) }] };
}

export function translatedPage(english: ParsedDoc, translation: ParsedDoc, language: Language): DocPage {
  const parts: { language: Language; blocks: DocBlock[] }[] = [];
  for (const section of english.sections) {
    const current = currentOf(section, translation);
    const part: DocPart =
      current === undefined
        ? { language: 'en', blocks: section.blocks }
        : { language, blocks: withId(current.blocks, section.id) };
    const last = parts.at(-1);
    if (last?.language === part.language) last.blocks.push(...part.blocks);
    else parts.push({ ...part, blocks: [...part.blocks] });
  }
  return { title: translation.title, language, parts };
}

/** The translation of a section, if it says what the section says now. */
export function currentOf({ id, digest }: ParsedSection, translation: ParsedDoc): ParsedSection | undefined {
  return translation.sections.find(({ madeFrom }) => madeFrom?.id === id && madeFrom.digest === digest);
}

/** Sections without a current translation, by their ids, and translations of what is no longer there. */
export function staleSections(english: ParsedDoc, translation: ParsedDoc): readonly string[] {
  const known = new Set(english.sections.map(({ id }) => id));
  return [
    ...english.sections.filter((section) => currentOf(section, translation) === undefined).map(({ id }) => id),
    ...translation.sections.flatMap(({ id, madeFrom }) => (known.has(madeFrom?.id ?? '') ? [] : [madeFrom?.id ?? id])),
  ];
}

function withId(blocks: readonly DocBlock[], id: string): readonly DocBlock[] {
  return blocks.map((block) => (block.kind === 'heading' ? { ...block, id } : block));
}
