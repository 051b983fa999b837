// What is selected in a dashboard ↔ the text of it in the address of its page, so that a view can be sent. Whatever else stands there selects nothing. Pure.

import { isEither, isFlag, isListOf, isNumber, isOneOf, isRecordOf, isText } from '../guard.ts';
import type { Widget } from './dashboard.ts';
import type { Selection, Selections } from './selection.ts';

/** An address that is longer than this is cut by programs on its way: then it has no selections. */
const MAX_TEXT = 4000;
const MAX_SELECTED = 100;

const isNothing = (value: unknown): value is undefined => value === undefined;
const isNull = (value: unknown): value is null => value === null;
const isEnd = isEither(isEither(isNumber, isText), isNothing);
const isSpan = isRecordOf<Selection & { kind: 'span' }>({
  kind: isOneOf('span'),
  column: isText,
  from: isEnd,
  to: isEnd,
  isOpen: isFlag,
});
const KINDS: readonly ((value: unknown) => value is Selection)[] = [
  isSpan,
  isRecordOf<Selection & { kind: 'values' }>({
    kind: isOneOf('values'),
    column: isText,
    values: isListOf(isEither(isEither(isText, isNumber), isNull)),
  }),
  isRecordOf<Selection & { kind: 'dates' }>({
    kind: isOneOf('dates'),
    column: isText,
    from: isEither(isText, isNothing),
    to: isEither(isText, isNothing),
  }),
  isRecordOf<Selection & { kind: 'text' }>({ kind: isOneOf('text'), column: isText, text: isText }),
  isRecordOf<Selection & { kind: 'feature' }>({
    kind: isOneOf('feature'),
    column: isText,
    id: isEither(isText, isNumber),
  }),
  isRecordOf<Selection & { kind: 'cell' }>({
    kind: isOneOf('cell'),
    parts: (value): value is (Selection & { kind: 'cell' })['parts'] => isListOf(isSpan)(value) && value.length === 2,
  }),
  isRecordOf<Selection & { kind: 'extent' }>({
    kind: isOneOf('extent'),
    extent: (value): value is (Selection & { kind: 'extent' })['extent'] =>
      isListOf(isNumber)(value) && value.length === 4,
  }),
];

/** Empty: nothing is selected. */
export function selectionsText(selections: Selections): string {
  if (selections.size === 0) return '';
  const text = JSON.stringify([...selections].map(([id, { layer, selection }]) => [id, layer, selection]));
  return text.length > MAX_TEXT ? '' : text;
}

/** Of these widgets alone: what was selected in another would filter, and no chip could take it back. */
export function parseSelections(text: string | null, widgets: readonly Pick<Widget, 'id' | 'layer'>[]): Selections {
  const found = new Map<string, { layer: number; selection: Selection }>();
  if (text === null || text === '' || text.length > MAX_TEXT) return found;
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return found;
  }
  for (const one of Array.isArray(read) ? read.slice(0, MAX_SELECTED) : []) {
    const [id, layer, selection] = Array.isArray(one) ? (one as readonly unknown[]) : [];
    const isThere = widgets.some((widget) => widget.id === id && widget.layer === layer);
    if (typeof id === 'string' && typeof layer === 'number' && isThere && KINDS.some((isKind) => isKind(selection)))
      found.set(id, { layer, selection: selection as Selection });
  }
  return found;
}
