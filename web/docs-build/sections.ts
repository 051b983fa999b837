// A page → its headings for the table of contents, and its sections for the search.

import {
  type DocBlock,
  type DocEntry,
  type DocHeading,
  type DocPage,
  type DocSection,
  plainText,
} from '../lib/docs/doc-page.ts';

export function entryOf(name: string, { title, language, parts }: DocPage): DocEntry {
  const headings = parts.flatMap(({ language, blocks }) =>
    blocks.flatMap((block): DocHeading[] =>
      block.kind === 'heading' && block.level === 2 ? [{ id: block.id, text: plainText(block.runs), language }] : [],
    ),
  );
  return { name, title, language, headings };
}

export function sectionsOf(page: string, { title, parts }: DocPage): readonly DocSection[] {
  return parts.flatMap(({ language, blocks }) => {
    const sections: { heading: DocHeading | undefined; text: string[] }[] = [{ heading: undefined, text: [] }];
    for (const block of blocks) {
      if (block.kind === 'heading')
        sections.push({ heading: { id: block.id, text: plainText(block.runs), language }, text: [] });
      else sections.at(-1)?.text.push(textOf(block));
    }
    return sections
      .map(({ heading, text }) => ({
        page,
        title,
        heading,
        text: text.join(' ').replace(/\s+/g, ' ').trim(),
        language,
      }))
      .filter(({ heading, text }) => heading !== undefined || text !== '');
  });
}

function textOf(block: DocBlock): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainText(block.runs);
    case 'list':
      return block.items.flat().map(textOf).join(' ');
    case 'quote':
      return block.blocks.map(textOf).join(' ');
    case 'code':
      return block.parts.map(({ text }) => text).join(' ');
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(plainText).join(' ')).join(' ');
  }
}
