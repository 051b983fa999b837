// Working by keyboard alone, and what is wrong with where the focus is on the way: nowhere, out of sight, or without a ring.

import type { Page } from 'playwright-core';

type Focus = { readonly tag: string; readonly name: string; readonly hasRing: boolean; readonly isSeen: boolean };

/** More steps than any page has between two things that belong together. */
const MAX_STEPS = 80;

export type Keys = {
  /** Tab, or Shift+Tab, until something of this name has the focus. */
  to(name: string | RegExp, way?: 'Tab' | 'Shift+Tab'): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  /** In what has the focus, in place of what is there. */
  type(text: string): Promise<void>;
  /** What has the focus; nothing has a name of nothing. */
  here(): Promise<string>;
  readonly complaints: readonly string[];
};

export function keysOf(page: Page): Keys {
  const complaints: string[] = [];
  const look = async (): Promise<Focus> => {
    const found = (await page.evaluate(FOCUS)) as Focus;
    if (found.tag !== '' && !found.hasRing) complaints.push(`no ring around ${found.tag} "${found.name}"`);
    return found;
  };
  return {
    complaints,
    async to(name, way = 'Tab') {
      const passed: string[] = [];
      while (passed.length < MAX_STEPS) {
        await page.keyboard.press(way);
        const { name: found, tag, isSeen } = await look();
        if (typeof name === 'string' ? found === name : name.test(found)) {
          if (!isSeen) complaints.push(`out of sight: ${tag} "${found}"`);
          return;
        }
        passed.push(found);
      }
      throw new Error(`${name} is not reached by ${way}: ${passed.join(' → ')}`);
    },
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    async type(text) {
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
    here: async () => ((await page.evaluate(FOCUS)) as Focus).name,
  };
}

/** As text: what runs in the page is no code of this program. */
const FOCUS = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return { tag: '', name: '', hasRing: false, isSeen: false };
  const textOf = (node) => (node?.innerText ?? '').trim().replace(/\\s+/g, ' ').slice(0, 80);
  const labelled = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => textOf(document.getElementById(id))).join(' ').trim();
  const label = element.labels?.length > 0 ? textOf(element.labels[0]) : '';
  const name = element.getAttribute('aria-label') || labelled || label || textOf(element);
  const isOutlined = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  };
  const box = element.getBoundingClientRect();
  const isSeen = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return { tag: element.localName, name, hasRing: isOutlined(element) || isOutlined(element.parentElement), isSeen };
})()`;
