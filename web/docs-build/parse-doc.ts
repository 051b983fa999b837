// A Markdown file of docs/ → a document as data, cut at its headings. Read by `marked`, of which only the lexer is used: its tokens become a
// closed set of blocks, and HTML in the text stays text.

import { createHash } from 'node:crypto';
import { lexer, type Token, type Tokens } from 'marked';
import type { DocBlock, DocRun } from '../lib/docs/doc-page.ts';
import { plainText } from '../lib/docs/doc-page.ts';
import { codeParts } from './code-parts.ts';

export type ParsedDoc = { readonly title: string; readonly sections: readonly ParsedSection[] };

export type ParsedSection = {
  /** Made of its heading; of the first section, of the title. */
  readonly id: string;
  /** Of its text; another one when a word changes, the same when lines are broken elsewhere. */
  readonly digest: string;
  /** Of a translation: the English section it was made from, and the digest of that at the time. */
  readonly madeFrom: { readonly id: string; readonly digest: string } | undefined;
  /** The heading first, if it has one: the first section has the title instead. */
  readonly blocks: readonly DocBlock[];
};

/** `names`: the pages there are; a link to anything else that is relative leads nowhere, and is text. */
export function parseDoc(source: string, names: ReadonlySet<string>): ParsedDoc {
  const ids = new Map<string, number>();
  const context: Context = { names, idOf: (text) => uniqueId(slugOf(text), ids) };
  const [first = [], ...others] = cutAtHeadings(lexer(source));
  const title = plainText(runsOf(inner(first[0]), context));
  const head = sectionOf(context.idOf(title), first, blocksOf(first.slice(1), context));
  const sections = others.map((tokens) => {
    const blocks = blocksOf(tokens, context);
    return sectionOf(blocks[0]?.kind === 'heading' ? blocks[0].id : '', tokens, blocks);
  });
  return { title, sections: [head, ...sections] };
}

/** What stands before the title is left out. */
function cutAtHeadings(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    if (token.type === 'heading') groups.push([token]);
    else groups.at(-1)?.push(token);
  }
  return groups;
}

const MADE_FROM = /^<!-- en: (\S+) ([0-9a-f]{8}) -->\s*$/;

function sectionOf(id: string, tokens: readonly Token[], blocks: readonly DocBlock[]): ParsedSection {
  const text = tokens.map(({ raw }) => raw).join('');
  const digest = createHash('sha256').update(text.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 8);
  const [, from, of] = tokens.flatMap(({ raw }) => MADE_FROM.exec(raw) ?? []);
  return {
    id,
    digest,
    madeFrom: from === undefined || of === undefined ? undefined : { id: from, digest: of },
    blocks,
  };
}

type Context = { readonly names: ReadonlySet<string>; readonly idOf: (text: string) => string };

const inner = (token: Token | undefined): readonly Token[] => (token as Tokens.Generic | undefined)?.tokens ?? [];

function blocksOf(tokens: readonly Token[], context: Context): readonly DocBlock[] {
  return tokens.flatMap((token) => blockOf(token, context));
}

function blockOf(token: Token, context: Context): readonly DocBlock[] {
  switch (token.type) {
    case 'heading': {
      const runs = runsOf(inner(token), context);
      const level = Math.min(4, Math.max(2, (token as Tokens.Heading).depth)) as 2 | 3 | 4;
      return [{ kind: 'heading', level, id: context.idOf(plainText(runs)), runs }];
    }
    case 'code': {
      const { lang = '', text } = token as Tokens.Code;
      return [{ kind: 'code', language: lang, parts: codeParts(lang, text) }];
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      return [{ kind: 'list', ordered, items: items.map((item) => blocksOf(item.tokens, context)) }];
    }
    case 'blockquote':
      return [{ kind: 'quote', blocks: blocksOf(inner(token), context) }];
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      const cell = ({ tokens }: Tokens.TableCell): readonly DocRun[] => runsOf(tokens, context);
      return [{ kind: 'table', head: header.map(cell), rows: rows.map((row) => row.map(cell)) }];
    }
    case 'paragraph':
      return [{ kind: 'paragraph', runs: runsOf(inner(token), context) }];
    case 'text': {
      const tokens = inner(token);
      return [{ kind: 'paragraph', runs: runsOf(tokens.length > 0 ? tokens : [token], context) }];
    }
    case 'space':
    case 'hr':
    case 'def':
      return [];
    case 'html':
      // Remarks for whoever writes the page.
      return /^<!--/.test(token.raw) ? [] : [{ kind: 'paragraph', runs: [{ kind: 'text', text: token.raw.trim() }] }];
    default:
      throw new Error(`there is no form for ${token.type}: ${token.raw.slice(0, 80)}`);
  }
}

function runsOf(tokens: readonly Token[], context: Context): readonly DocRun[] {
  const runs: DocRun[] = [];
  let isKey = false;
  for (const token of tokens) {
    if (token.type === 'html' && /^<\/?kbd>$/.test(token.raw)) isKey = token.raw === '<kbd>';
    else if (isKey) runs.push({ kind: 'key', text: token.raw });
    else runs.push(...runOf(token, context));
  }
  return runs;
}

function runOf(token: Token, context: Context): readonly DocRun[] {
  switch (token.type) {
    case 'strong':
      return [{ kind: 'bold', text: plainText(runsOf(inner(token), context)) }];
    case 'em':
      return [{ kind: 'italic', text: plainText(runsOf(inner(token), context)) }];
    case 'codespan':
      return [{ kind: 'code', text: (token as Tokens.Codespan).text }];
    case 'link': {
      const runs = runsOf(inner(token), context);
      const to = addressOf((token as Tokens.Link).href, context.names);
      return to === undefined ? runs : [{ kind: 'link', runs, to }];
    }
    case 'image':
      return [{ kind: 'text', text: (token as Tokens.Image).text }];
    case 'br':
      return [{ kind: 'text', text: ' ' }];
    case 'text':
    case 'escape': {
      const tokens = inner(token);
      if (tokens.length > 0) return runsOf(tokens, context);
      return [{ kind: 'text', text: (token as Tokens.Text).text.replaceAll('\n', ' ') }];
    }
    default:
      return [{ kind: 'text', text: token.raw }];
  }
}

function addressOf(href: string, names: ReadonlySet<string>): string | undefined {
  if (/^https:\/\/[^\s]+$/.test(href) || /^#[\w-]+$/.test(href)) return href;
  // A translation is a folder deeper than the documents that are English alone.
  const [, name = '', hash = ''] = /^(?:\.\.\/)?([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  return names.has(name) ? `/docs/${name}${hash}` : undefined;
}

/** As code forges name their headings, so that a link works here and there. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function uniqueId(slug: string, ids: Map<string, number>): string {
  const used = ids.get(slug) ?? 0;
  ids.set(slug, used + 1);
  return used === 0 ? slug : `${slug}-${used}`;
}
