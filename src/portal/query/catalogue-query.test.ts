import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resource } from '../kinds/item/fields.ts';
import { layer } from '../kinds/layer/fields.ts';
import { map } from '../kinds/map/fields.ts';
import { upload } from '../kinds/upload/fields.ts';
import { type CatalogueQuery, hasRegex, parseCatalogueQuery, type QueryRules, WHOLE } from './catalogue-query.ts';
import type { Condition, Path } from './condition.ts';

const rules: QueryRules = {
  recordType: resource,
  searched: ['title', 'abstract'],
  hasExtent: true,
  hasFavourites: true,
  full: [],
};

const parse = (query: string, other: Partial<QueryRules> = {}) => parseCatalogueQuery(query, { ...rules, ...other });

function parsed(query: string, other: Partial<QueryRules> = {}): CatalogueQuery {
  const result = parse(query, other);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

function failure(query: string, other: Partial<QueryRules> = {}): unknown {
  const result = parse(query, other);
  return result.ok ? 'accepted' : result.error;
}

const list = (message: string) => ({ kind: 'invalid-request', messages: [message] });
const detail = (text: string) => ({ kind: 'bad-request', detail: text });

/** `owner.username`: the way a path takes. */
function wayOf({ through, target }: Path): string {
  return [...through.map(({ name }) => name), target.kind === 'field' ? target.field.name : '(id)'].join('.');
}

function shown(condition: Condition): unknown {
  switch (condition.kind) {
    case 'filter':
      return `${condition.isNegated ? '-' : ''}${wayOf(condition.path)} ${JSON.stringify(condition.test)}`;
    case 'search':
      return { words: condition.words, fields: condition.fields.map(({ path, how }) => `${how} ${wayOf(path)}`) };
    default:
      return condition;
  }
}

const conditions = (query: string, other: Partial<QueryRules> = {}) => parsed(query, other).conditions.map(shown);

test('no query asks for everything', () => {
  expect(parsed('')).toBe(WHOLE);
});

describe('pages', () => {
  test.each([
    ['page=3', { page: 3, pageSize: 10 }],
    ['page=2&page_size=25', { page: 2, pageSize: 25 }],
    ['page_size=99999', { page: 1, pageSize: 1000, askedSize: 99999 }],
    ['page_size=0', { page: 1, pageSize: 10 }],
    ['page_size=-5', { page: 1, pageSize: 10 }],
    ['page_size=abc', { page: 1, pageSize: 10 }],
    ['page_size=1e3', { page: 1, pageSize: 10 }],
    ['page_size=', { page: 1, pageSize: 10 }],
    ['page=2&page=3', { page: 2, pageSize: 10 }],
  ])('%s', (query, expected) => {
    expect(parsed(query)).toMatchObject(expected);
  });

  test.each(['0', '-1', 'abc', 'last', '', '1.5', '1e2', '99999999999999999999', '٣'])('page %j is none', (page) => {
    expect(failure(`page=${encodeURIComponent(page)}`)).toEqual({ kind: 'invalid-page' });
  });
});

describe('filters', () => {
  test.each([
    ['filter{title}=Rivers', 'title {"op":"eq","value":"Rivers","as":"text"}'],
    ['filter{title.eq}=Rivers', 'title {"op":"eq","value":"Rivers","as":"text"}'],
    ['filter{title}[]=Rivers', 'title {"op":"eq","value":"Rivers","as":"text"}'],
    ['filter{-title}=Rivers', '-title {"op":"eq","value":"Rivers","as":"text"}'],
    ['filter{pk}=5', 'pk {"op":"eq","value":"5","as":"bigint"}'],
    ['filter{id}=5', 'pk {"op":"eq","value":"5","as":"bigint"}'],
    ['filter{pk.in}=5&filter{pk.in}=6', 'pk {"op":"in","values":["5","6"],"as":"bigint"}'],
    ['filter{pk.in}=5&filter{pk.in}[]=6', 'pk {"op":"in","values":["5","6"],"as":"bigint"}'],
    ['filter{pk.range}=5&filter{pk.range}=6', 'pk {"op":"range","low":"5","high":"6","as":"bigint"}'],
    ['filter{title}=a&filter{title}=b', 'title {"op":"eq","value":"a","as":"text"}'],
    ['filter{title.iexact}=x', 'title {"op":"like","how":"exact","foldCase":true,"text":"x"}'],
    ['filter{title.icontains}=x', 'title {"op":"like","how":"contains","foldCase":true,"text":"x"}'],
    ['filter{title.startswith}=x', 'title {"op":"like","how":"startswith","foldCase":false,"text":"x"}'],
    ['filter{title.iendswith}=x', 'title {"op":"like","how":"endswith","foldCase":true,"text":"x"}'],
    ['filter{title.regex}=^R', 'title {"op":"regex","pattern":"^R","foldCase":false}'],
    ['filter{owner}=2', 'owner {"op":"eq","value":"2","as":"bigint"}'],
    ['filter{owner.username}=ada', 'owner.username {"op":"eq","value":"ada","as":"text"}'],
    [
      'filter{keywords.name.icontains}=wat',
      'keywords.name {"op":"like","how":"contains","foldCase":true,"text":"wat"}',
    ],
    ['filter{keywords}=7', '(id) {"op":"eq","value":"7","as":"bigint"}'],
    [
      'filter{category.identifier.in}=biota',
      'category.identifier {"op":"in","values":["biota"],"as":"text","foldCase":true}',
    ],
    [
      'filter{category.identifier}=Biota',
      'category.identifier {"op":"in","values":["Biota"],"as":"text","foldCase":true}',
    ],
    ['filter{resource_type.in}=dataset', 'resource_type {"op":"in","values":["layer"],"as":"text"}'],
    ['filter{category.isnull}=true', 'category {"op":"isnull","isNull":true}'],
    ['filter{category.isnull}=', 'category {"op":"isnull","isNull":false}'],
    ['filter{category.isnull}=0', 'category {"op":"isnull","isNull":false}'],
    ['filter{category.isnull}=yes', 'category {"op":"isnull","isNull":true}'],
    ['filter{bbox_polygon.isnull}=false', 'bbox_polygon {"op":"isnull","isNull":false}'],
    ['filter{featured}=false', 'featured {"op":"eq","value":"false","as":"boolean"}'],
    ['filter{featured}=', 'featured {"op":"eq","value":"false","as":"boolean"}'],
    ['filter{featured}=anything', 'featured {"op":"eq","value":"true","as":"boolean"}'],
    ['filter{date.gte}=2020-01-02', 'date {"op":"gte","value":"2020-01-02T00:00:00Z","as":"timestamptz"}'],
    [
      'filter{date.lt}=2020-01-02T03:04:05.5%2B02:00',
      'date {"op":"lt","value":"2020-01-02T03:04:05.5+02:00","as":"timestamptz"}',
    ],
    [
      'filter{date.lt}=2020-01-02T03:04:05+02:00',
      'date {"op":"lt","value":"2020-01-02T03:04:05+02:00","as":"timestamptz"}',
    ],
    ['filter{date.year}=2020', 'date {"op":"part","part":"year","value":"2020"}'],
    ['filter{date.week_day}=1', 'date {"op":"part","part":"week_day","value":"1"}'],
  ])('%s', (query, expected) => {
    expect(conditions(query)).toEqual([expected]);
  });

  test('states are compared in upper case, whatever case they are written in', () => {
    expect(conditions('filter{-state}=Processed', { recordType: upload, searched: ['name'] })).toEqual([
      '-state {"op":"eq","value":"PROCESSED","as":"text"}',
    ]);
  });

  test.each([
    ['filter{nope}=1', list('Invalid filter field: nope')],
    ['filter{owner.nope}=1', list('Invalid filter field: nope')],
    ['filter{title.nope}=1', list('Invalid nested filter field: title')],
    [`filter{${'owner.'.repeat(9)}eq}=1`, list('A filter leads through 8 names at most.')],
    [`filter{${'owner.'.repeat(9)}a|b}=1`, list('A filter leads through 8 names at most.')],
    ['filter{title.username.eq}=1', list('Invalid nested filter field: title')],
    ['filter{title=1', detail('"filter{title" is not a well-formed filter key.')],
    ['filter{}=1', detail('"filter{}" is not a well-formed filter key.')],
    ['filter{-}=1', list('Invalid filter field: -')],
    ['filter{a}b=1', detail('"filter{a}b" is not a well-formed filter key.')],
    ['filter{title}[0]=1', detail('"filter{title}[0]" is not a well-formed filter key.')],
    ['filter{|name}=1', detail('"filter{|name}" is not a well-formed filter key.')],
    ['filter{keywords|}=1', detail('"filter{keywords|}" is not a well-formed filter key.')],
    ['filter{a|b|c}=1', detail('"filter{a|b|c}" is not a well-formed filter key.')],
    ['filter{nope|name}=1', list('Invalid filter field: nope')],
    ['filter{title|name}=1', list('Invalid filter field: title')],
    ['filter{keywords.name|slug}=1', list('Invalid filter field: name')],
    ['filter{keywords|nope}=1', list('Invalid filter field: nope')],
    ['filter{owner|email}=1', list('Invalid filter field: email')],
    ['filter{keywords|name.regex}=a', list('The operator "regex" cannot be used here: name.regex')],
    ['filter{title.any}=1', list('')],
    ['filter{title.all}=1', list('')],
    ['filter{pk}=abc', list('A valid integer is required.')],
    ['filter{pk}=99999999999999999999', list('A valid integer is required.')],
    ['filter{pk.in}=1&filter{pk.in}=x', list('A valid integer is required.')],
    ['filter{pk.in}=1,2', list('A valid integer is required.')],
    ['filter{pk.range}=1', list('A range takes two values: pk.range')],
    ['filter{pk.range}=1&filter{pk.range}=2&filter{pk.range}=3', list('A range takes two values: pk.range')],
    ['filter{owner}=ada', list('A valid integer is required.')],
    ['filter{uuid}=x', list('Must be a valid UUID.')],
    ['filter{date.year}=x', list('A valid integer is required.')],
    ['filter{title.year}=2020', list('The operator "year" is for dates only: title.year')],
    ['filter{featured.gt}=true', list('The operator "gt" cannot be used here: featured.gt')],
    ['filter{bbox_polygon}=x', list('The operator "eq" cannot be used here: bbox_polygon')],
    // shown, but only by an expression that nothing can be compared with
    ['filter{detail_url}=x', list('Invalid filter field: detail_url')],
    ['filter{perms}=x', list('Invalid filter field: perms')],
    // columns of the table that are no fields of a record
    ['filter{viewers}=1', list('Invalid filter field: viewers')],
    ['filter{owner.email}=x', list('Invalid filter field: email')],
    ['filter{owner.password}=x', list('Invalid filter field: password')],
    ['filter{__proto__}=1', list('Invalid filter field: __proto__')],
    ['filter{constructor.name}=1', list('Invalid filter field: constructor')],
    ['filter{owner.toString}=1', list('Invalid filter field: toString')],
    ['filter{title) or true --}=1', list('Invalid filter field: title) or true --')],
  ])('%s is refused', (query, expected) => {
    expect(failure(query)).toEqual(expected);
  });

  test.each([
    '2020-13-01',
    '2020-02-30',
    '2021-02-29',
    'yesterday',
    '2020-01-01T25:00',
    '2020-01-01T00:00:00+99:00',
    'now',
    'infinity',
    '0000-01-01',
  ])('the date %s is none', (date) => {
    expect(failure(`filter{date}=${encodeURIComponent(date)}`)).toMatchObject({
      messages: [expect.stringMatching(/^Datetime has wrong format/)],
    });
  });
});

describe('search', () => {
  test('looks in title and abstract unless told otherwise', () => {
    expect(conditions('search=two words,three')).toEqual([
      { words: ['two', 'words', 'three'], fields: ['contains title', 'contains abstract'] },
    ]);
  });

  test('takes fields, with a prefix for how to look, through relations', () => {
    expect(
      conditions(
        'search=x&search_fields=^title&search_fields==doi&search_fields=$name&search_fields=@abstract&search_fields=owner__username',
        { recordType: layer },
      ),
    ).toEqual([
      {
        words: ['x'],
        fields: ['startswith title', 'exact doi', 'regex name', 'words abstract', 'contains owner.username'],
      },
    ]);
  });

  test('for nothing finds everything', () => {
    expect(conditions('search=')).toEqual([]);
    expect(conditions('search=%20,%20')).toEqual([]);
  });

  test('means nothing where there is none', () => {
    expect(conditions('search=x&search_fields=nope', { searched: undefined })).toEqual([]);
  });

  test.each([
    'nope',
    'owner__password',
    'owner__email',
    'keywords',
    'perms',
    'bbox_polygon',
    '__proto__',
    '^',
    'owner__',
  ])('the field %s is none', (name) => {
    expect(failure(`search=x&search_fields=${encodeURIComponent(name)}`)).toEqual(
      list(`Invalid search field: ${name}`),
    );
  });

  test('has a limit of words', () => {
    expect(failure(`search=${'a '.repeat(33)}`)).toEqual(list('A search takes 32 words at most.'));
    const inTwo = 'search_fields=title&search_fields=abstract';
    expect(failure(`${inTwo}&search=${'a'.repeat(2000)}`)).toBe('accepted');
    expect(failure(`${inTwo}&search=${'a'.repeat(2001)}`)).toEqual(
      list('A search in 2 fields takes 2000 characters at most.'),
    );
    expect(failure(`search_fields=$title&search=${'a '.repeat(21)}`)).toEqual(
      list('A search takes 20 regular expressions at most.'),
    );
    const folded = (count: number): string =>
      `filter{title.icontains}=${'a'.repeat(1000)}&filter{-abstract.iexact}=${'a'.repeat(count)}`;
    expect(failure(folded(1000))).toBe('accepted');
    expect(failure(folded(1001))).toEqual(list('Filters that ignore case take 2000 characters at most.'));
  });
});

describe('regular expressions', () => {
  test.each(['^River', '[a-z]+s$', 'a{2,3}', '(?:a|b)c', 'a\\.b', '\\d+', 'x*y*z*'])('%s is fine', (pattern) => {
    expect(hasRegex(parsed(`filter{title.regex}=${encodeURIComponent(pattern)}`))).toBe(true);
  });

  test.each([
    ['(a)\\1', 'Back references are not allowed in regular expressions.'],
    ['(?=a)b', 'Look-around and options are not allowed in regular expressions.'],
    ['(?!a)b', 'Look-around and options are not allowed in regular expressions.'],
    ['(?i)b', 'Look-around and options are not allowed in regular expressions.'],
    ['***=b', 'Directives are not allowed in regular expressions.'],
    ['((a{100}){100}){100}', 'The regular expression repeats too much.'],
    ['('.repeat(30), 'The regular expression is nested too deep.'],
    ['a'.repeat(201), 'A regular expression may have 200 characters at most.'],
  ])('%s is refused', (pattern, message) => {
    expect(failure(`filter{title.regex}=${encodeURIComponent(pattern)}`)).toEqual(list(message));
    expect(failure(`search=${encodeURIComponent(pattern)}&search_fields=$title`)).toEqual(list(message));
  });
});

describe('order', () => {
  const order = (query: string) =>
    parsed(query).order.map(({ path, isDescending }) => `${isDescending ? '-' : ''}${wayOf(path)}`);

  test.each([
    ['sort[]=title', ['title']],
    ['sort[]=-title&sort[]=pk', ['-title', 'pk']],
    ['sort[]=%20-title%20', ['-title']],
    ['ordering=-date,title', ['-date', 'title']],
    ['ordering=title&sort[]=date', ['date']],
    ['sort[]=owner.username', ['owner.username']],
    ['sort[]=owner', ['owner']],
    ['ordering=', []],
    ['sort[]=', []],
  ])('%s', (query, expected) => {
    expect(order(query)).toEqual(expected);
  });

  test.each([
    ['sort[]=nope', "['nope']"],
    ['sort[]=-nope&sort[]=title&sort[]=x', "['-nope', 'x']"],
    ['sort[]=title,date', "['title,date']"],
    ['sort[]=keywords.name', "['keywords.name']"],
    ['sort[]=keywords', "['keywords']"],
    ['sort[]=bbox_polygon', "['bbox_polygon']"],
    ['ordering=password', "['password']"],
    ['ordering=owner.email', "['owner.email']"],
    ['sort[]=__proto__', "['__proto__']"],
  ])('%s is refused', (query, names) => {
    expect(failure(query)).toEqual(list(`Invalid filter field: ${names}`));
  });
});

describe('extent', () => {
  const boxes = (...spans: readonly (readonly [number, number])[]): unknown[] =>
    spans.map(([west, east]) => [west, 0, east, 10]);
  test.each([
    ['20,0,30,10', boxes([20, 30], [-340, -330])],
    ['-180,-90,180,90', undefined],
    ['-200,-90,170,90', undefined],
    ['170,0,190,10', boxes([170, 190], [-190, -170])],
    ['-190,0,-170,10', boxes([170, 190], [-190, -170])],
    ['170,0,-170,10', boxes([170, 190], [-190, -170])],
    ['530,0,540,10', boxes([170, 180], [-190, -180])],
    ['20,0,21,10,25,0,26,10', [...boxes([20, 21], [-340, -339]), ...boxes([25, 26], [-335, -334])]],
    ['0,0,1,1,-180,-90,180,90', undefined],
    [
      ' 1.5 , -.5 , +2e0 , 3. ',
      [
        [1.5, -0.5, 2, 3],
        [-358.5, -0.5, -358, 3],
      ],
    ],
    ['', undefined],
  ])('%s', (extent, expected) => {
    const found = parsed(`extent=${encodeURIComponent(extent)}`).conditions;
    expect(found).toEqual(expected === undefined ? [] : [{ kind: 'extent', boxes: expected }]);
  });

  test.each([
    '1,2,3',
    '1,2,3,4,5',
    'a,b,c,d',
    '0,0,1,NaN',
    '0,0,1,Infinity',
    '0,0,1,1e400',
    '0,10,1,5',
    ',,,',
    '0,0,1,',
    Array(204).fill(0).join(','),
  ])('%j is refused', (extent) => {
    expect(failure(`extent=${encodeURIComponent(extent)}`)).toMatchObject({ kind: 'invalid-request' });
  });

  test('means nothing where nothing has one', () => {
    expect(parsed('extent=x', { hasExtent: false }).conditions).toEqual([]);
  });
});

describe('fields', () => {
  const fieldsOf = (query: string): string[] => {
    const { selection } = parsed(query);
    return resource.fields.filter((field) => selection.shows(field)).map(({ name }) => name);
  };
  const usual = fieldsOf('');

  test('deferred ones are there when asked for', () => {
    expect(usual).not.toContain('favorite');
    expect(fieldsOf('include[]=favorite')).toEqual([...usual, 'favorite']);
    expect(fieldsOf('include[]=*')).toContain('favorite');
  });

  test('unwanted ones are left out, the common ones too', () => {
    expect(fieldsOf('exclude[]=title&exclude[]=owner')).toEqual(
      usual.filter((name) => name !== 'title' && name !== 'owner'),
    );
    expect(fieldsOf('exclude[]=*&include[]=pk&include[]=title')).toEqual(['pk', 'title']);
    expect(fieldsOf('exclude[]=*&include[]=owner.username')).toEqual(['owner']);
    expect(fieldsOf('include[]=favorite&exclude[]=favorite')).toEqual(usual);
  });

  test('those of related records, too', () => {
    const { selection } = parsed('exclude[]=owner.avatar&include[]=poc.');
    const owner = resource.byName.get('owner');
    const related = owner?.type.kind === 'one' ? owner.type.relation.recordType() : undefined;
    if (owner === undefined || related === undefined) throw new Error('no owner');
    expect(related.fields.filter((field) => selection.below(owner).shows(field)).map(({ name }) => name)).toEqual([
      'pk',
      'username',
      'first_name',
      'last_name',
      'perms',
    ]);
  });

  test.each([
    ['exclude[]=foo', '"foo" is not a valid field name for "resource".'],
    ['exclude[]=title.x', '"title.x" is not a valid field name for "resource".'],
    ['exclude[]=owner.email', '"email" is not a valid field name for "user".'],
    ['exclude[]=', '"" is not a valid field name for "resource".'],
    ['exclude[]=__proto__', '"__proto__" is not a valid field name for "resource".'],
  ])('%s is refused', (query, message) => {
    expect(failure(query)).toEqual(detail(message));
  });
});

test('full=true brings what a collection has in store for it', () => {
  const full = { recordType: upload, searched: ['name'], full: ['layer', 'session'] };
  const shows = (query: string) =>
    ['layer', 'session'].map((name) => {
      const field = upload.byName.get(name);
      return field !== undefined && parsed(query, full).selection.shows(field);
    });
  expect(shows('full=true')).toEqual([true, true]);
  expect(shows('full=')).toEqual([false, false]);
  expect(shows('')).toEqual([false, false]);
});

test('whatever a query says, it is either refused or understood', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'page',
      'page_size',
      'search',
      'search_fields',
      'sort[]',
      'ordering',
      'extent',
      'include[]',
      'exclude[]',
      'full',
      'favorite',
      'debug',
    ),
    fc.string({ unit: 'binary' }).map((text) => `filter{${text}}`),
  );
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('title', 'owner', '-1', '0,0,1,1', 'true'));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (pairs) => {
      const query = pairs
        .map(
          ([key, text]) =>
            `${encodeURIComponent(Buffer.from(key).toString())}=${encodeURIComponent(Buffer.from(text).toString())}`,
        )
        .join('&');
      expect(typeof parse(query).ok).toBe('boolean');
    }),
  );
});

test('a number of a filter stays the text that it is, to the last digit', () => {
  const whole = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }).map(String);
  const part = fc.tuple(whole, fc.nat({ max: 10 ** 9 })).map(([before, after]) => `${before}.${after}`);
  const written = (field: string, numeral: string): unknown =>
    parsed(`filter{${field}}=${encodeURIComponent(numeral)}`, { recordType: map }).conditions.map(
      (condition) => condition.kind === 'filter' && condition.test,
    );
  fc.assert(
    fc.property(whole, (numeral) => {
      expect(written('zoom', numeral)).toEqual([{ op: 'eq', value: numeral, as: 'bigint' }]);
    }),
  );
  fc.assert(
    fc.property(fc.oneof(whole, part, fc.constantFrom('-0', '1e300', '-0.10')), (numeral) => {
      expect(written('center_x', numeral)).toEqual([{ op: 'eq', value: numeral, as: 'double precision' }]);
    }),
  );
  expect(failure('filter{center_x}=1e400', { recordType: map })).toEqual(list('A valid number is required.'));
});
