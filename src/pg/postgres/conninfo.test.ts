import { describe, expect, test } from 'vitest';
import { parseConninfo } from './conninfo.ts';

function parsed(text: string): unknown {
  const result = parseConninfo(text);
  return result.ok ? Object.fromEntries(result.value) : result.error.message;
}

describe('URIs', () => {
  test.each([
    ['postgresql://', {}],
    ['postgres://host', { host: 'host' }],
    ['postgresql://host:5433/db', { host: 'host', port: '5433', dbname: 'db' }],
    ['postgresql://user@/db', { user: 'user', dbname: 'db' }],
    ['postgresql://us%40er:p%3Aw%2Fd@host/d%20b', { user: 'us@er', password: 'p:w/d', host: 'host', dbname: 'd b' }],
    ['postgresql://u:p@ss@host', { user: 'u', password: 'p@ss', host: 'host' }],
    ['postgresql://[::1]:5433/db', { host: '::1', port: '5433', dbname: 'db' }],
    ['postgresql://%2Fvar%2Frun/db', { host: '/var/run', dbname: 'db' }],
    ['postgresql:///db?host=/tmp&port=5434', { dbname: 'db', host: '/tmp', port: '5434' }],
    ['postgresql://a,b:5433,[::2]/db', { host: 'a,b,::2', port: ',5433,', dbname: 'db' }],
    ['postgresql://h/db@x', { host: 'h', dbname: 'db@x' }],
    [
      'postgresql://h?sslmode=require&application_name=a%26b',
      { host: 'h', sslmode: 'require', application_name: 'a&b' },
    ],
    ['postgresql://h?ssl=true', { host: 'h', sslmode: 'require' }],
    ['postgresql://h?ssl=false', { host: 'h', sslmode: 'prefer' }],
  ])('%s', (uri, expected) => {
    expect(parsed(uri)).toEqual(expected);
  });
});

describe('key=value', () => {
  test.each([
    ['', {}],
    ['  ', {}],
    ['host=a port=1', { host: 'a', port: '1' }],
    ['  host =  a   dbname= b ', { host: 'a', dbname: 'b' }],
    [`password='it''s'`, `missing "=" in the connection string`],
    [String.raw`password='it\'s \\ here' user=u`, { password: String.raw`it's \ here`, user: 'u' }],
    [String.raw`password=a\ b\\ user=u`, { password: 'a b\\', user: 'u' }],
    [`host='' user=u`, { host: '', user: 'u' }],
    [`options='-c a.b=c -c d=e'`, { options: '-c a.b=c -c d=e' }],
    [
      'host=a,b port=1,2 target_session_attrs=read-write',
      { host: 'a,b', port: '1,2', target_session_attrs: 'read-write' },
    ],
  ])('%s', (text, expected) => {
    expect(parsed(text)).toEqual(expected);
  });
});

describe('what is wrong is told without telling a secret', () => {
  test.each([
    ['postgresql://u:s3cret@h/d?nonsense=s3cret'],
    ['postgresql://u:s3cret?x=s3cret@host/db'],
    ['postgresql://u:s3cret%ZZ@h/d'],
    ['postgresql://u:s3cret%00@h/d'],
    ['postgresql://u:s3cret@h:12x/d'],
    ['postgresql://u:s3cret@[::1/d'],
    ['postgresql://u@h?s3cret'],
    ['host=h password=pass s3cret'],
    ['host=h password=pass s3cret=x'],
    [`host=h password='s3cret`],
    ['s3cret'],
  ])('%s', (text) => {
    const message = parsed(text);
    expect(message).toBeTypeOf('string');
    expect(message).not.toContain('s3cret');
  });
});
