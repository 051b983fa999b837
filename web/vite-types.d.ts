// What the build adds to imports.

declare module '*?url' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: that is how the build hands the address over.
  export default address;
}
declare module '*.css';
