// Waits for the packaged fonts before the first page is drawn, so that text does not jump (flash of unstyled text); not for long.

const USED = ['1em "Inter Variable"', '600 1em "Source Serif 4 Variable"'] as const;

/** They are preloaded along with the script. Where they are late, the page begins with what the machine has. */
const PATIENCE_MS = 400;

export async function fontsLoaded(): Promise<void> {
  const late = new Promise<void>((resolve) => window.setTimeout(resolve, PATIENCE_MS));
  const loaded = Promise.all(USED.map((font) => document.fonts.load(font))).then(
    () => {},
    () => {},
  );
  await Promise.race([loaded, late]);
}
