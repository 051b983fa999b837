import { describe, expect, test } from 'vitest';
import type { Level } from '../query/levels-sql.ts';
import { levelTexts } from './level-texts.ts';

const column = { name: 'id', slot: 0 };
const level = (name: string, parent: number | undefined, columns: Level['columns'] = [column]): Level => ({
  name,
  parent,
  columns,
});

/** Clients with projects, which have tasks and files, and with notes. */
const LEVELS = [
  level('', undefined),
  level('projects', 0),
  level('tasks', 1),
  level('files', 1),
  level('notes', 0),
] as const;
const [CLIENT, PROJECT, TASK, FILE, NOTE] = [0, 1, 2, 3, 4] as const;

describe('between two rows stands', () => {
  const { between, endings } = levelTexts(LEVELS);

  test('nothing before the first', () => {
    expect(between(-1, CLIENT)).toBe('');
  });

  test('what json_agg separates rows of one level by', () => {
    expect(between(TASK, TASK)).toBe('}, \n ');
  });

  test('the key of the embed whose rows begin', () => {
    expect(between(CLIENT, PROJECT)).toBe(',"projects":[');
  });

  test('an empty array for each embed that was left out', () => {
    expect(between(CLIENT, NOTE)).toBe(',"projects":[],"notes":[');
    expect(between(PROJECT, FILE)).toBe(',"tasks":[],"files":[');
    expect(between(CLIENT, CLIENT)).toBe(',"projects":[],"notes":[]}, \n ');
  });

  test('the end of all that the next row is not in', () => {
    expect(between(TASK, FILE)).toBe('}],"files":[');
    expect(between(TASK, PROJECT)).toBe('}],"files":[]}, \n ');
    expect(between(TASK, NOTE)).toBe('}],"files":[]}],"notes":[');
    expect(between(FILE, CLIENT)).toBe('}]}],"notes":[]}, \n ');
  });

  test('the end of everything behind the last', () => {
    expect(endings.map(String)).toEqual([
      ']',
      ',"projects":[],"notes":[]}]',
      ',"tasks":[],"files":[]}],"notes":[]}]',
      '}],"files":[]}],"notes":[]}]',
      '}]}],"notes":[]}]',
      '}]}]',
    ]);
  });

  test('an opening brace where a row shows nothing but embeds', () => {
    const bare = levelTexts([level('', undefined, []), level('a', 0, []), level('b', 1)]);
    expect(bare.between(-1, 0)).toBe('{');
    expect(bare.between(0, 1)).toBe('"a":[{');
    expect(bare.between(1, 2)).toBe('"b":[');
    expect(bare.between(2, 0)).toBe('}]}]}, \n {');
    expect(String(bare.endings[1])).toBe('"a":[]}]');
  });
});
