import { expect, test } from 'vitest';
import { type ConsoleRequest, snippetOf } from './snippets.ts';

const GET: ConsoleRequest = {
  method: 'GET',
  url: 'https://x.example/rest/v1/a?b=eq.1',
  headers: { Accept: 'application/json' },
  body: '',
};

test('a read as code', () => {
  expect(snippetOf('curl', GET)).toBe("curl 'https://x.example/rest/v1/a?b=eq.1' \\\n  -H 'Accept: application/json'");
  expect(snippetOf('javascript', GET)).toContain('await fetch("https://x.example/rest/v1/a?b=eq.1"');
  expect(snippetOf('python', GET)).toContain('requests.get(');
});

test('quotes in what is sent end nothing', () => {
  const hostile: ConsoleRequest = { ...GET, method: 'POST', body: `{"a":"'; rm -rf / #"}`, headers: { 'X-A': `'"` } };
  expect(snippetOf('curl', hostile)).toContain(`-d '{"a":"'\\''; rm -rf / #"}'`);
  expect(snippetOf('python', hostile)).toContain(String.raw`data="{\"a\":\"'; rm -rf / #\"}".encode()`);
  expect(snippetOf('javascript', hostile)).toContain(`"a": "'; rm -rf / #"`);
});

test('a body that is no JSON is sent as text', () => {
  expect(snippetOf('javascript', { ...GET, method: 'POST', body: 'nope' })).toContain('JSON.stringify("nope")');
});
