// Problems of accessibility on a page, as axe finds them; the serious ones.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Finding = { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] };

/** `colours`: only the rules about them, for a page that is known and wears others. */
export async function serious(page: Page, name: string, rules: 'all' | 'colours' = 'all'): Promise<readonly string[]> {
  // Evaluated by the test's own tool, beside the page's content policy.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  const runOnly = rules === 'all' ? '' : ', runOnly: ["color-contrast", "link-in-text-block"]';
  const violations = (await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"]${runOnly} }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`,
  )) as readonly Finding[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, impact, nodes }) =>
        `${name}: ${id} (${impact}): ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 160))
          .join(' | ')}`,
    );
}
