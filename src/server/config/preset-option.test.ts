import { expect, test } from 'vitest';
import { rawText } from '../../kernel/options/raw-value.ts';
import { presetsType } from './preset-option.ts';

test('presets are an object in JSON, printed as they were written', () => {
  const text = '{"short": {"include": ["pk"], "exclude": ["*"]}, "bare": {}}';
  const parsed = presetsType.parse(rawText(text));
  expect(parsed).toMatchObject({ ok: true });
  if (!parsed.ok) return;
  expect([...parsed.value.presets]).toEqual([
    ['short', { include: ['pk'], exclude: ['*'] }],
    ['bare', { include: [], exclude: [] }],
  ]);
  expect(presetsType.print(parsed.value)).toBe(JSON.stringify(text));
});

test.each([
  ['{', 'is not JSON'],
  ['[]', 'is not an object'],
  ['{"a": 1}', 'preset a'],
  ['{"a": {"include": "pk"}}', 'preset a'],
  ['{"a": {"include": [1]}}', 'preset a'],
  ['{"a": {"only": ["pk"]}}', 'preset a'],
])('%s is refused', (text, said) => {
  expect(presetsType.parse(rawText(text))).toMatchObject({ ok: false, error: expect.stringContaining(said) });
});
