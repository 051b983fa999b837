// A page of the documentation as data: what the build makes of a Markdown file, and what the reader is shown. There is no HTML in it, so
// nothing in a page can become a script.

import type { Language } from '../i18n/text.ts';

export type DocRun =
  | { readonly kind: 'text' | 'code' | 'bold' | 'italic' | 'key'; readonly text: string }
  /** `to`: an address of the portal, a place on this page (`#…`), or one of another site (`https://…`). */
  | { readonly kind: 'link'; readonly runs: readonly DocRun[]; readonly to: string };

/** A request that an example makes, in the reader's name. */
export type DocRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** An address of this server. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** Some lines of code; with a request where they are an example that runs. */
export type DocCode = { readonly text: string; readonly request?: DocRequest };

export type DocBlock =
  /** `level`: 2 to 4; 1 is the title of the page. */
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly id: string; readonly runs: readonly DocRun[] }
  | { readonly kind: 'paragraph'; readonly runs: readonly DocRun[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly DocBlock[])[] }
  | { readonly kind: 'quote'; readonly blocks: readonly DocBlock[] }
  | { readonly kind: 'code'; readonly language: string; readonly parts: readonly DocCode[] }
  | {
      readonly kind: 'table';
      readonly head: readonly (readonly DocRun[])[];
      readonly rows: readonly (readonly (readonly DocRun[])[])[];
    };

/** Sections that follow each other and are in one language. */
export type DocPart = { readonly language: Language; readonly blocks: readonly DocBlock[] };

/** `language`: of the title. A part is in English where its translation is older than the English text. */
export type DocPage = { readonly title: string; readonly language: Language; readonly parts: readonly DocPart[] };

/** `id` is made of the English heading, so that a link leads to the same place in every language. */
export type DocHeading = { readonly id: string; readonly text: string; readonly language: Language };

/** A page as the table of contents knows it: without its text. */
export type DocEntry = {
  readonly name: string;
  readonly title: string;
  readonly language: Language;
  readonly headings: readonly DocHeading[];
};

/** What stands between two headings, to be searched. */
export type DocSection = {
  readonly page: string;
  readonly title: string;
  /** Undefined: before the first heading of the page. */
  readonly heading: DocHeading | undefined;
  readonly text: string;
  readonly language: Language;
};

export function plainText(runs: readonly DocRun[]): string {
  return runs.map((run) => (run.kind === 'link' ? plainText(run.runs) : run.text)).join('');
}
