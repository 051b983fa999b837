import { describe, expect, test } from 'vitest';
import { columnOfXmlName, xmlName } from './xml-text.ts';

describe('names of elements', () => {
  test.each([
    ['name', 'name'],
    ['größe', 'größe'],
    ['größe_m²', 'größe_m_x00B2_'],
    ['µg', '_x00B5_g'],
    ['a b', 'a_x0020_b'],
    ['odd "name', 'odd_x0020__x0022_name'],
    ['2024', '_x0032_024'],
    ['-x', '_x002D_x'],
    ['wert.1-2', 'wert.1-2'],
    ['名前', '名前'],
    ['😀', '_x1F600_'],
    // What looks encoded is encoded itself.
    ['a_x0020_b', 'a_x005F_x0020_b'],
    ['', ''],
  ])('%s is %s, and back', (column, element) => {
    expect(xmlName(column)).toBe(element);
    expect(columnOfXmlName(element)).toBe(column);
  });

  test('an encoded name that stands for no character stays', () => {
    expect(columnOfXmlName('_xFFFFFF_')).toBe('_xFFFFFF_');
  });
});
