import { describe, expect, test } from 'vitest';
import { sqlstateStatus } from './sqlstate-status.ts';

const status = (sqlstate: string, message = '', isAuthenticated = true): number =>
  sqlstateStatus({ sqlstate, message }, isAuthenticated);

describe('the status of an SQLSTATE', () => {
  test.each<[string, number]>([
    ['08006', 503],
    ['09000', 500],
    ['0L000', 403],
    ['0P000', 403],
    ['23503', 409],
    ['23505', 409],
    ['23502', 400],
    ['23514', 400],
    ['25006', 405],
    ['25P02', 500],
    ['28000', 403],
    ['28P01', 403],
    ['2D000', 500],
    ['38000', 500],
    ['39000', 500],
    ['3B001', 500],
    ['40001', 500],
    ['40P01', 500],
    ['53400', 500],
    ['53300', 503],
    ['54001', 500],
    ['55P03', 500],
    ['57014', 500],
    ['57P01', 500],
    ['57P02', 500],
    ['57P03', 500],
    ['57P04', 500],
    ['57P05', 500],
    ['08006', 503],
    ['58030', 500],
    ['F0000', 500],
    ['HV000', 500],
    ['P0001', 400],
    ['P0000', 500],
    ['P0004', 500],
    ['XX000', 500],
    ['42883', 404],
    ['42P01', 404],
    ['42P17', 500],
    ['42703', 400],
    ['42P10', 400],
    ['22P02', 400],
    ['21000', 400],
    ['22023', 400],
    ['00000', 400],
    ['', 400],
  ])('%s is %i', (sqlstate, expected) => {
    expect(status(sqlstate)).toBe(expected);
    expect(status(sqlstate, '', false)).toBe(expected);
  });

  test('a missing privilege is 403 for those who have shown a token, 401 for others', () => {
    expect(status('42501', 'permission denied for table x', true)).toBe(403);
    expect(status('42501', 'permission denied for table x', false)).toBe(401);
  });

  test('a role that does not exist is a fault of the token', () => {
    expect(status('22023', 'role "nobody" does not exist')).toBe(401);
    expect(status('22023', 'role "two\nlines" does not exist')).toBe(401);
    expect(status('22023', 'invalid value for parameter "TimeZone": "x"')).toBe(400);
    expect(status('42704', 'role "nobody" does not exist')).toBe(400);
  });

  test('what PostGIS says of a value that is no geometry is a fault of the request', () => {
    for (const message of [
      'parse error - invalid geometry',
      'Invalid hex character ($) encountered',
      'Invalid hex string, length (3) has to be a multiple of two!',
      'Unknown WKB type (99)!',
      'WKB structure does not match expected size!',
    ])
      expect(status('XX000', message)).toBe(400);
    expect(status('XX000', 'cache lookup failed for relation 1')).toBe(500);
  });
});
