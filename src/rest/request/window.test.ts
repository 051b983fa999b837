import { describe, expect, test } from 'vitest';
import { parseRootWindow, parseWindow, type WindowTexts } from './window.ts';

const negative = { ok: false, error: { kind: 'limit-negative' } };
const crossed = { ok: false, error: { kind: 'range-crossed' } };
const rows = (offset: number, limit?: number) => ({
  ok: true,
  value: limit === undefined ? { offset } : { offset, limit },
});
const HUGE = '99999999999999999999';

describe('limit and offset', () => {
  test.each<[WindowTexts, unknown]>([
    [{}, rows(0)],
    [{ limit: '3' }, rows(0, 3)],
    [{ offset: '2' }, rows(2)],
    [{ limit: '3', offset: '2' }, rows(2, 3)],
    [{ limit: ' 3 ' }, rows(0, 3)],
    [{ limit: '0' }, rows(0, 0)],
    [{ limit: '0', offset: '5' }, rows(5, 0)],
    [{ limit: '-1' }, negative],
    [{ limit: '-1', offset: '2' }, negative],
    [{ offset: '-5' }, rows(0)],
    [{ offset: '-5', limit: '2' }, rows(0, 2)],
    // no whole number is none
    [{ limit: 'abc' }, rows(0)],
    [{ limit: '' }, rows(0)],
    [{ limit: '1.5' }, rows(0)],
    [{ limit: '1e3' }, rows(0)],
    [{ limit: '0x10' }, rows(0)],
    [{ limit: '1; drop table x' }, rows(0)],
    [{ offset: 'abc' }, rows(0)],
    [{ limit: 'abc', offset: '2' }, negative],
    [{ limit: 'abc', offset: '0' }, rows(0)],
    [{ limit: HUGE, offset: HUGE }, rows(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)],
  ])('%j', (texts, window) => {
    expect(parseWindow(texts)).toEqual(window);
    expect(parseRootWindow(texts, undefined)).toEqual(window);
  });
});

describe('with the Range header', () => {
  test.each<[WindowTexts, string, unknown]>([
    [{}, '0-9', rows(0, 10)],
    [{}, '5-5', rows(5, 1)],
    [{}, '5-', rows(5)],
    [{}, '1-0', crossed],
    [{}, '9-3', crossed],
    // what is no range is ignored
    [{}, 'items=0-9', rows(0)],
    [{}, 'bytes=0-9', rows(0)],
    [{}, '-5', rows(0)],
    [{}, '0-9,20-29', rows(0)],
    [{}, 'a-b', rows(0)],
    [{}, '', rows(0)],
    [{}, '0-9\n', rows(0)],
    // the window is what both leave
    [{ limit: '3' }, '0-1', rows(0, 2)],
    [{ limit: '2' }, '0-9', rows(0, 2)],
    [{ limit: '10', offset: '5' }, '8-20', rows(8, 7)],
    [{ offset: '5' }, '2-9', rows(5, 5)],
    [{ offset: '5' }, '7-', rows(7)],
    [{ limit: '3' }, '5-9', negative],
    [{ limit: '-1' }, '0-9', negative],
    [{ limit: '-1' }, '5-2', crossed],
    // no rows were asked for
    [{ limit: '0' }, '5-9', rows(0, 0)],
    [{ limit: '0' }, '5-2', rows(0, 0)],
    [{}, `0-${HUGE}`, rows(0, Number.MAX_SAFE_INTEGER)],
  ])('%j and %j', (texts, range, window) => {
    expect(parseRootWindow(texts, range)).toEqual(window);
  });
});
