// A text that the program makes, compared with the file of it that people read. BLESS=1 rewrites the file; the review reads the difference.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';

export function expectFile(url: URL, text: string): void {
  if (process.env['BLESS'] === '1') {
    mkdirSync(dirname(url.pathname), { recursive: true });
    writeFileSync(url, text);
  }
  expect(existsSync(url), `${url.pathname} is missing: npm run bless writes it`).toBe(true);
  expect(readFileSync(url, 'utf8')).toBe(text);
}
