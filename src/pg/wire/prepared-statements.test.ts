import { expect, test } from 'vitest';
import { PreparedStatements } from './prepared-statements.ts';

function send(prepared: PreparedStatements, ...names: string[]): void {
  prepared.begin();
  for (const name of names) {
    const statement = prepared.use(name, `text of ${name}`);
    if (!statement.sent) prepared.parseSent(statement);
  }
}

function isPrepared(prepared: PreparedStatements, name: string): boolean {
  return prepared.use(name, `text of ${name}`).parsed;
}

test('a statement counts as prepared when its Parse was answered', () => {
  const prepared = new PreparedStatements(10, 'p');
  send(prepared, 'a');
  prepared.parseComplete();
  prepared.settle();
  expect(isPrepared(prepared, 'a')).toBe(true);
});

test('one that failed to parse, and those behind it, do not', () => {
  const prepared = new PreparedStatements(10, 'p');
  send(prepared, 'a', 'b', 'c');
  prepared.parseComplete(); // a
  prepared.settle(); // b failed, c was skipped
  expect(prepared.size).toBe(1);
  expect(['a', 'b', 'c'].map((name) => isPrepared(prepared, name))).toEqual([true, false, false]);
});

test('answers are told apart although unnamed statements are parsed in between', () => {
  const prepared = new PreparedStatements(10, 'p');
  prepared.begin();
  prepared.parseSent(null);
  send(prepared, 'a');
  prepared.parseSent(null);
  send(prepared, 'b');
  for (let i = 0; i < 3; i++) prepared.parseComplete();
  prepared.settle();
  expect(['a', 'b'].map((name) => isPrepared(prepared, name))).toEqual([true, false]);
});

test('a name on the wire is never used twice', () => {
  const prepared = new PreparedStatements(2, 'p');
  const seen = new Set<string>();
  for (let i = 0; i < 50; i++) {
    prepared.begin();
    seen.add(prepared.use(`s${i % 5}`, 'text').wireName);
    if (i % 7 === 0) prepared.forgetAll();
    prepared.settle();
  }
  const all = [...seen];
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(5);
});

test('what was forgotten is closed once', () => {
  const prepared = new PreparedStatements(10, 'p');
  send(prepared, 'a');
  prepared.parseComplete();
  prepared.settle();
  prepared.forget('a');
  prepared.forget('a');
  expect(prepared.begin()).toEqual(['p1']);
  expect(prepared.begin()).toEqual([]);
});

test('what the server has forgotten itself is not closed', () => {
  const prepared = new PreparedStatements(10, 'p');
  send(prepared, 'a');
  prepared.parseComplete();
  prepared.settle();
  prepared.forgetAll();
  expect(prepared.begin()).toEqual([]);
  expect(prepared.size).toBe(0);
});

test('a statement is had once it is parsed, and only with the text it was parsed with', () => {
  const prepared = new PreparedStatements(10, 'p');
  expect(prepared.has('one', 'select 1')).toBe(false);
  prepared.begin();
  prepared.parseSent(prepared.use('one', 'select 1'));
  expect(prepared.has('one', 'select 1')).toBe(false);
  prepared.parseComplete();
  prepared.settle();
  expect(prepared.has('one', 'select 1')).toBe(true);
  expect(prepared.has('one', 'select 2')).toBe(false);
  expect(prepared.has('two', 'select 1')).toBe(false);
});
