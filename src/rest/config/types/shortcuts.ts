// `server-shortcuts`: the optimisations that can be turned off one by one, to measure them or to rule them out as the cause of a fault.

import type { OptionType } from '../../../kernel/options/option.ts';
import { listOrNone } from '../../../kernel/options/types/list.ts';

export const SHORTCUTS = ['plain-http', 'shared-connections', 'processor-limit', 'copied-inserts'] as const;

export type Shortcut = (typeof SHORTCUTS)[number];

const known: ReadonlySet<string> = new Set(SHORTCUTS);

export const shortcuts: OptionType<readonly string[]> = listOrNone({
  accepts: `any of ${SHORTCUTS.join(', ')} with commas between them, or nothing`,
  complaint: (word) => (known.has(word) ? undefined : `knows no "${word}": there are ${SHORTCUTS.join(', ')}`),
});
