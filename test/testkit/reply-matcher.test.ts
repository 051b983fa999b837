import { describe, expect, test } from 'vitest';
import type { Reply } from './reply-matcher.ts';

const reply: Reply = {
  status: 206,
  statusText: 'Partial Content',
  headers: { 'Content-Range': '0-1/15', 'set-cookie': ['a=1', 'b=2'], gone: undefined },
  body: '[{"id":1},{"id":2}]',
};

describe('toMatchReply', () => {
  test('compares what is named and leaves the rest alone', () => {
    expect(reply).toMatchReply({ status: 206, headers: { 'content-range': '0-1/15' }, json: [{ id: 1 }, { id: 2 }] });
    expect(reply).toMatchReply({ text: '[{"id":1},{"id":2}]' });
    expect({ ...reply, headers: new Headers({ 'X-One': '1' }) }).toMatchReply({ headers: { 'x-one': '1' } });
  });

  test('joins headers of one name', () => {
    expect(reply).toMatchReply({ headers: { 'Set-Cookie': 'a=1, b=2' } });
  });

  test('takes patterns and asymmetric matchers', () => {
    expect(reply).toMatchReply({ headers: { 'Content-Range': /^0-1/ }, json: [{ id: expect.any(Number) }, { id: 2 }] });
    expect(reply).toMatchReply({ text: /"id":2/ });
  });

  test('null says that a header is not there', () => {
    expect(reply).toMatchReply({ headers: { location: null, GONE: null } });
    expect(reply).not.toMatchReply({ headers: { 'content-range': null } });
  });

  test.each([
    { status: 200 },
    { statusText: 'OK' },
    { headers: { 'content-range': '0-1/*' } },
    { headers: { location: '/' } },
    { json: [{ id: 1 }] },
    { json: undefined },
    { text: '' },
  ])('fails on %j', (expected) => {
    expect(reply).not.toMatchReply(expected);
  });

  test('says so when a body is not JSON', () => {
    expect(() => expect({ ...reply, body: 'oops' }).toMatchReply({ json: [] })).toThrow(/not JSON[\s\S]*oops/);
  });
});
