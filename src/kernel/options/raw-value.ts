// A setting's value before its option has looked at it. A configuration file knows four kinds; the environment, the
// command line and the database know only text.

export type RawValue =
  | { readonly kind: 'text'; readonly text: string }
  /** `text` is the number as it was written, so that an option of text may keep it unchanged. */
  | { readonly kind: 'number'; readonly text: string; readonly value: number }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'list'; readonly items: readonly RawValue[] };

export function rawText(text: string): RawValue {
  return { kind: 'text', text };
}

export function isEmptyText(value: RawValue): boolean {
  return value.kind === 'text' && value.text === '';
}

const LONGEST_SHOWN = 80;

/** The value as a complaint quotes it: control characters made visible, long texts cut. Never called for secrets. */
export function showRaw(value: RawValue): string {
  switch (value.kind) {
    case 'text':
      return JSON.stringify(value.text.length > LONGEST_SHOWN ? `${value.text.slice(0, LONGEST_SHOWN)}…` : value.text);
    case 'number':
      return value.text.slice(0, LONGEST_SHOWN);
    case 'truth':
      return String(value.value);
    case 'list':
      return 'a list';
  }
}
