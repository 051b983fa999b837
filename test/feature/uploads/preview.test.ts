// A table is looked at before it is imported: what it would be read as, what would be lost, and what becomes of other choices.

import { expect, test } from 'vitest';
import type { TableChoices, TablePreview } from '../../../src/layer-ports/table-choices.ts';
import { headerOf } from '../../testkit/reply-matcher.ts';
import { onUploads, type UploadKit } from './upload-kit.ts';

const GERMAN = [
  'Messungen der Stadt Bern',
  'Station;Datum;Wert;lat;lon;Notiz',
  'Bern;31.12.2024;1.234,5;46,95;7,45;gut',
  'Thun;1.1.2025;2,5;46,75;7,62;',
  'Biel;bald;keine;47,14;7,25;oft',
].join('\n');

async function look(kit: UploadKit, content: string, table?: TableChoices, name = 'werte.csv'): Promise<TablePreview> {
  const fields = table === undefined ? {} : { table: JSON.stringify(table) };
  const reply = await kit.send('ada', [{ name, content }], fields, '/api/v2/uploads/preview', 'POST');
  if (reply.status !== 200) throw new Error(`${reply.status} ${String(reply.body)}`);
  return (JSON.parse(String(reply.body)) as { readonly preview: TablePreview }).preview;
}

const CHOICES: TableChoices = {
  decimal: ',',
  dates: 'dmy',
  columns: { Datum: { type: 'date' }, Wert: { type: 'number', name: 'Messwert' }, Notiz: { skip: true } },
};

onUploads('a preview', {}, (kit) => {
  test('tells what a table would be read as, and leaves nothing', async () => {
    const before = { left: await kit().left(), stored: await kit().stored() };
    const seen = await look(kit(), GERMAN);
    expect(seen).toMatchObject({
      format: 'CSV',
      charset: 'UTF-8',
      delimiter: ';',
      decimal: ',',
      // The row above the names is a title.
      header: 2,
      rows: 3,
      isPart: false,
      places: 'columns',
      placed: ['lon', 'lat'],
    });
    expect(seen.columns.map(({ name, type }) => [name, type])).toEqual([
      ['Station', 'text'],
      ['Datum', 'text'],
      ['Wert', 'text'],
      ['lat', 'number'],
      ['lon', 'number'],
      ['Notiz', 'text'],
    ]);
    expect(seen.first[0]).toEqual(['Bern', '31.12.2024', '1.234,5', '46,95', '7,45', 'gut']);
    expect({ left: await kit().left(), stored: await kit().stored() }).toEqual(before);
    expect(await kit().db.query(`select 1 from portal.upload where name = 'werte'`)).toEqual([]);
  });

  test('says in which order dates can be written, where all values of a column are some', async () => {
    const { columns } = await look(kit(), 'when;both\n31.12.2024;1/2/2024\n1.1.2025;3/4/2024\n');
    expect(columns.map(({ dates }) => dates)).toEqual([['dmy'], ['dmy', 'mdy']]);
  });

  test('counts what would be lost by a choice, with the lines', async () => {
    const { columns } = await look(kit(), GERMAN, CHOICES);
    expect(columns.filter(({ lost }) => lost.count > 0)).toMatchObject([
      { name: 'Datum', type: 'date', lost: { count: 1, lines: [5] } },
      { name: 'Wert', type: 'number', as: 'Messwert', lost: { count: 1, lines: [5] } },
    ]);
    expect(columns.find(({ name }) => name === 'Notiz')).toMatchObject({ skip: true, empty: 1 });
  });

  test('reads numbers and dates in the way in which most can be read; which of two it is, where both can be, somebody has to say', async () => {
    const typed: TableChoices = { columns: { Datum: { type: 'date' }, Wert: { type: 'number' } } };
    const { decimal, dates, columns } = await look(kit(), GERMAN, typed);
    expect({ decimal, dates }).toEqual({ decimal: ',', dates: 'dmy' });
    expect(columns.map(({ lost }) => lost.count)).toEqual([0, 1, 1, 0, 0, 0]);
    const either = await look(kit(), 'when;x;y\n1/2/2024;1;2\n', { columns: { when: { type: 'date' } } });
    expect(either.columns[0]?.lost.count).toBe(1);
  });

  test('counts rows at which the import would stop, and looks at files that were sent before', async () => {
    const content = 'name,lon,lat\na,7.5,47\nb,seven,47\n';
    const ada = kit().portal.as('ada');
    const tus = { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(content.length), 'Upload-Offset': '0' };
    const filename = Buffer.from('orte.csv').toString('base64');
    const begun = await ada.post('/api/v2/uploads/files/', undefined, {
      ...tus,
      'Upload-Metadata': `filename ${filename}`,
    });
    const address = headerOf(begun, 'location')?.replace(/^https?:\/\/[^/]+/, '') ?? '';
    await ada.patch(address, content, { ...tus, 'Content-Type': 'application/offset+octet-stream' });
    const id = address.split('/').at(-1) ?? '';
    for (const _ of [1, 2]) {
      const reply = await kit().send('ada', [], { sent_files: id }, '/api/v2/uploads/preview', 'POST');
      expect(JSON.parse(String(reply.body))).toMatchObject({
        preview: { format: 'CSV', rows: 2, misplaced: { count: 1, lines: [3] } },
      });
    }
  });

  test('and the same choices are those of the import, which says what was lost', async () => {
    const upload = await kit().import('ada', [{ name: 'werte.csv', content: GERMAN }], {
      table: JSON.stringify(CHOICES),
    });
    expect(upload).toMatchObject({ state: 'PROCESSED' });
    expect(upload.session['warnings']).toEqual([
      'werte.csv: 1 rows above the names of the columns were left out',
      '1 of 3 values of "Datum" are no dates: lines 5',
      '1 of 3 values of "Wert" are no numbers: lines 5',
    ]);
    expect(await kit().db.query('select station, datum::text, messwert from layers.werte order by fid')).toEqual([
      { station: 'Bern', datum: '2024-12-31', messwert: 1234.5 },
      { station: 'Thun', datum: '2025-01-01', messwert: 2.5 },
      { station: 'Biel', datum: null, messwert: null },
    ]);
    const columns = await kit().db.query<{ attname: string }>(
      `select attname from pg_attribute where attrelid = 'layers.werte'::regclass and attnum > 0 order by attnum`,
    );
    expect(columns.map(({ attname }) => attname)).not.toContain('notiz');
  });

  test('names of columns stand where somebody says, or nowhere', async () => {
    const { header, columns } = await look(kit(), '1,2\n3,4\n', { header: 1 });
    expect({ header, names: columns.map(({ name }) => name) }).toEqual({ header: 1, names: ['1', '2'] });
    const none = await look(kit(), 'a,b\n3,4\n', { header: 0 });
    expect({ rows: none.rows, names: none.columns.map(({ name }) => name) }).toEqual({
      rows: 2,
      names: ['field_1', 'field_2'],
    });
    const semicolons = await look(kit(), 'a;b,c\n1;2,3\n', { delimiter: ';' });
    expect(semicolons.columns.map(({ name }) => name)).toEqual(['a', 'b,c']);
  });

  test('is for tables, for accounts, and for choices that can be', async () => {
    const send = (as: 'ada', name: string, content: string, fields: Readonly<Record<string, string>> = {}) =>
      kit().send(as, [{ name, content }], fields, '/api/v2/uploads/preview', 'POST');
    const geojson = await send('ada', 'a.geojson', '{"type":"FeatureCollection","features":[]}');
    expect(geojson.status).toBe(400);
    expect(String(geojson.body)).toContain('only tables');
    for (const [table, said] of [
      ['{', 'This is not JSON'],
      ['{"color": 1}', 'Unknown member'],
      ['{"delimiter": "x"}', 'delimiter'],
      ['{"columns": {"a": {"type": "colour"}}}', 'is one of text'],
      ['{"columns": {"a": {"name": "n"}, "b": {"name": "n"}}}', 'two columns cannot be called'],
    ] as const) {
      const refused = await send('ada', 'a.csv', 'a,b\n1,2\n', { table });
      expect(refused.status).toBe(400);
      expect(String(refused.body)).toContain(said);
    }
    expect((await kit().portal.visitor.post('/api/v2/uploads/preview')).status).toBe(401);
    expect((await kit().portal.as('ada').get('/api/v2/uploads/preview')).status).toBe(405);
  });
});
