// What the build adds to imports.

declare module '*?url' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: that is how the build hands the address over.
  export default address;
}
declare module '*.css';

/** Made of docs/*.md by docs-build/docs-plugin.ts. */
declare module 'virtual:docs' {
  export const entries: readonly import('./lib/docs/doc-page.ts').DocEntry[];
  /** Of a page among the entries. */
  export const loadPage: (name: string) => Promise<import('./lib/docs/doc-page.ts').DocPage>;
  export const loadSections: () => Promise<readonly import('./lib/docs/doc-page.ts').DocSection[]>;
}
