// What the build adds to imports.

declare module '*?url' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: that is how the build hands the address over.
  export default address;
}
declare module '*.css';

/** Made of docs/ by docs-build/docs-plugin.ts. Of a language: what is translated, and English has everything. */
declare module 'virtual:docs' {
  type Language = import('./lib/i18n/text.ts').Language;
  export const entries: Readonly<Record<Language, readonly import('./lib/docs/doc-page.ts').DocEntry[]>>;
  /** Of a page among the entries of the language. */
  export const loadPage: (language: Language, name: string) => Promise<import('./lib/docs/doc-page.ts').DocPage>;
  export const loadSections: (language: Language) => Promise<readonly import('./lib/docs/doc-page.ts').DocSection[]>;
}
