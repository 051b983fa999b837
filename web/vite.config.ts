// Builds the pages into dist/web. Every file worth it also stands there compressed, so that serving costs nothing.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { docs } from './docs-build/docs-plugin.ts';
import { landPicture } from './map/land-picture.ts';

const COMPRESSED = /\.(?:js|mjs|css|html|json|svg)$/;

function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir }) {
      for (const name of readdirSync(dir ?? '', { recursive: true, encoding: 'utf8' })) {
        const path = join(dir ?? '', name);
        if (!COMPRESSED.test(name) || statSync(path).size < 1400) continue;
        const bytes = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: bytes.length > 500_000 ? 8 : 11 };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
      }
    },
  };
}

/** The background of every map, made of Natural Earth's data once per build. */
function background(): Plugin {
  return {
    name: 'background',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'basemap/land.svg', source: landPicture() });
    },
  };
}

/** The fonts that the first page is written in, asked for together with its script. The others come when a letter of theirs is shown. */
const FIRST_FONTS = /^assets\/(?:inter|source-serif-4)-latin-wght-normal-[\w-]{1,20}\.woff2$/;

function preloadedFonts(): Plugin {
  return {
    name: 'preloaded-fonts',
    apply: 'build',
    transformIndexHtml: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => FIRST_FONTS.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
          injectTo: 'head-prepend' as const,
        })),
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [docs(join(import.meta.dirname, '../docs')), background(), preloadedFonts(), compressed()],
  // Nothing is put into the page itself: the content policy allows no script or style there.
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    // Compressing takes most of the time of a build; that is no news.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
