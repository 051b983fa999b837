import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeCommandLineError } from './command-line-error.ts';
import { parseCommandLine } from './parse-command-line.ts';

/** The command without its empty parts, settings as `name=value`; or the mistakes in words. */
function outcome(line: string): unknown {
  const parsed = parseCommandLine(line === '' ? [] : line.split(' '));
  if (!parsed.ok) return parsed.error.errors.map(describeCommandLineError);
  const { args, ...rest } = { args: [], ...parsed.value };
  const settings = args.map((given) => `${given.name}=${given.value.kind === 'text' ? given.value.text : ''}`);
  const said = Object.entries(rest).filter(([, value]) => value !== undefined && value !== false);
  return { ...Object.fromEntries(said), ...(settings.length === 0 ? {} : { settings }) };
}

describe('commands', () => {
  test.each([
    ['', { kind: 'serve', services: 'all' }],
    ['survest.conf', { kind: 'serve', services: 'all', file: 'survest.conf' }],
    ['./conf', { kind: 'serve', services: 'all', file: './conf' }],
    ['--config conf', { kind: 'serve', services: 'all', file: 'conf' }],
    ['-c conf', { kind: 'serve', services: 'all', file: 'conf' }],
    ['--no-demo', { kind: 'serve', services: 'all', settings: ['demo=false'] }],
    ['rest', { kind: 'serve', services: 'rest' }],
    ['rest conf', { kind: 'serve', services: 'rest', file: 'conf' }],
    ['rest -- -odd', { kind: 'serve', services: 'rest', file: '-odd' }],
    ['portal', { kind: 'serve', services: 'portal' }],
    ['worker x.conf', { kind: 'serve', services: 'worker', file: 'x.conf' }],
    // What the model's operators type.
    ['rest --dump-config conf', { kind: 'dump-config', services: 'rest', file: 'conf' }],
    ['rest conf --dump-config', { kind: 'dump-config', services: 'rest', file: 'conf' }],
    ['rest --dump-schema conf', { kind: 'dump-schema', services: 'rest', file: 'conf' }],
    ['rest --ready conf', { kind: 'ready', services: 'rest', file: 'conf' }],
    ['rest -e', { kind: 'example', services: 'rest' }],
    ['rest --example', { kind: 'example', services: 'rest' }],
    ['--dump-config', { kind: 'dump-config', services: 'all' }],
    ['--dump-config conf', { kind: 'dump-config', services: 'all', file: 'conf' }],
    ['--dump-config rest', { kind: 'dump-config', services: 'rest' }],
    ['--ready', { kind: 'ready', services: 'all' }],
    ['-e', { kind: 'example', services: 'all' }],
    ['-v', { kind: 'version' }],
    ['--version', { kind: 'version' }],
    ['rest -v', { kind: 'version' }],
    ['migrate', { kind: 'migrate' }],
    ['migrate --rest-only', { kind: 'migrate', restOnly: true }],
    ['migrate --remove-event-trigger', { kind: 'migrate', removeEventTrigger: true }],
    ['migrate x.conf', { kind: 'migrate', file: 'x.conf' }],
    ['doctor', { kind: 'doctor' }],
    ['import a.gpkg', { kind: 'import', files: ['a.gpkg'] }],
    ['import a.gpkg b.zip --as ada -c x', { kind: 'import', files: ['a.gpkg', 'b.zip'], as: 'ada', file: 'x' }],
    [
      'import a.csv --title Stops --crs EPSG:25832 --charset latin1 --x-column e --y-column n',
      { kind: 'import', files: ['a.csv'], title: 'Stops', crs: 'EPSG:25832', charset: 'latin1', x: 'e', y: 'n' },
    ],
    ['process', { kind: 'process', inputs: [] }],
    [
      'process buffer layer=stops distance=5 --title Near --as ada',
      { kind: 'process', process: 'buffer', inputs: ['layer=stops', 'distance=5'], title: 'Near', as: 'ada' },
    ],
    ['doctor --fix', { kind: 'doctor', fix: true }],
    ['types', { kind: 'types', services: 'rest', format: 'typescript', schemas: [] }],
    [
      'types --format json-schema -o x.json --schema a --schema b --watch x.conf',
      {
        kind: 'types',
        services: 'rest',
        format: 'json-schema',
        output: 'x.json',
        schemas: ['a', 'b'],
        watch: true,
        file: 'x.conf',
      },
    ],
    ['user create ada', { kind: 'user-create', name: 'ada', passwordFrom: 'terminal' }],
    [
      'user create ada --admin --email a@b.c --password-stdin',
      { kind: 'user-create', name: 'ada', admin: true, email: 'a@b.c', passwordFrom: 'stdin' },
    ],
    ['user passwd ada', { kind: 'user-passwd', name: 'ada', passwordFrom: 'terminal' }],
    ['user list', { kind: 'user-list' }],
    ['user list --json', { kind: 'user-list', json: true }],
    // Help wins over whatever else is wrong.
    ['-h', { kind: 'help', topic: 'survest' }],
    ['help', { kind: 'help', topic: 'survest' }],
    ['help rest', { kind: 'help', topic: 'rest' }],
    ['help user', { kind: 'help', topic: 'user' }],
    ['help user create', { kind: 'help', topic: 'user create' }],
    ['rest --help --nonsense', { kind: 'help', topic: 'rest' }],
    ['user --help', { kind: 'help', topic: 'user' }],
    ['user create --help', { kind: 'help', topic: 'user create' }],
    ['nonsense --help', { kind: 'help', topic: 'survest' }],
  ])('survest %s', (line, expected) => {
    expect(outcome(line)).toEqual(expected);
  });
});

describe('settings as flags', () => {
  test.each([
    ['rest --db-pool 20', ['db-pool=20']],
    ['rest --db-pool=20', ['db-pool=20']],
    ['rest --db-pool=', ['db-pool=']],
    ['rest --db-uri=host=/tmp', ['db-uri=host=/tmp']],
    ['rest --db-anon-role=-odd', ['db-anon-role=-odd']],
    ['rest --db-max-rows -1', ['db-max-rows=-1']],
    ['rest --db-aggregates-enabled', ['db-aggregates-enabled=true']],
    ['rest --db-aggregates-enabled=false', ['db-aggregates-enabled=false']],
    ['rest --no-db-config', ['db-config=false']],
    ['rest --max-rows 5', ['max-rows=5']],
    ['rest --log-level info --server-port 0', ['log-level=info', 'server-port=0']],
  ])('survest %s', (line, settings) => {
    expect(outcome(line)).toEqual({ kind: 'serve', services: 'rest', settings });
  });

  test('a flag says where the value came from', () => {
    expect(parseCommandLine(['--portal-port', '9000'])).toMatchObject({
      value: { args: [{ name: 'portal-port', origin: { kind: 'argument', flag: '--portal-port' } }] },
    });
  });
});

describe('mistakes', () => {
  test.each([
    ['rset', ['there is no command "rset"; did you mean rest?']],
    ['conf', ['there is no command "conf"; a configuration file of this folder is named ./conf']],
    ['survest', ['there is no command "survest"; a configuration file of this folder is named ./survest']],
    ['toString', ['there is no command "toString"; a configuration file of this folder is named ./toString']],
    ['user', ['user needs one of: create, passwd, list']],
    ['user craete ada', ['there is no command "user craete"; did you mean user create?']],
    ['user create', ['survest user create needs NAME']],
    ['user create a b', ['survest user create does not take "b"']],
    ['user list ada', ['survest user list does not take "ada"']],
    ['import', ['survest import needs FILE…']],
    ['rest a b', ['survest rest does not take "b"']],
    ['rest a.conf -c b.conf', ['survest rest takes one configuration file: as argument or with --config, not both']],
    ['rest --dump-confg', ['there is no flag --dump-confg; did you mean --dump-config?']],
    [
      'rest --db-pol 5 --sever-port 1',
      [
        'there is no flag --db-pol; did you mean --db-pool?',
        'there is no flag --sever-port; did you mean --server-port?',
      ],
    ],
    ['--no-db-pool', ['there is no flag --no-db-pool; did you mean --db-pool?']],
    ['-x', ['there is no flag -x']],
    ['rest --db-pool', ['--db-pool needs a value: --db-pool VALUE']],
    ['rest --db-pool --log-level info', ['--db-pool needs a value: --db-pool VALUE']],
    ['rest --config', ['--config needs a value: --config FILE']],
    ['user create ada --email', ['--email needs a value: --email ADDRESS']],
    ['rest --admin', ['survest rest has no flag --admin']],
    ['portal --dump-schema', ['survest portal has no flag --dump-schema']],
    ['types --format yaml', ['--format is one of: typescript, json-schema']],
    ['types --watch', ['--watch needs --output beside it']],
    ['user list --dump-config', ['survest user list has no flag --dump-config']],
    ['rest --version=2', { kind: 'version' }],
    ['rest --ready=yes', ['--ready takes no value']],
    ['--no-demo=1', ['--no-demo takes no value']],
    ['rest --ready --dump-config', ['only one of these at a time: --dump-config, --ready']],
    ['rest --db-pool --admin a b', ['--db-pool needs a value: --db-pool VALUE', 'survest rest does not take "b"']],
  ])('survest %s', (line, expected) => {
    expect(outcome(line)).toEqual(expected);
  });

  test('a secret is refused as a flag and not repeated, and neither is the word after a misspelt flag', () => {
    for (const line of [
      '--jwt-secret=hunter2',
      '--jwt-secret hunter2',
      '--admin-password hunter2',
      '--jwt-secert hunter2',
      'rest --jwt-secert hunter2 x',
    ]) {
      const told = JSON.stringify(parseCommandLine(line.split(' ')));
      expect(told).toContain('"ok":false');
      expect(told).not.toContain('hunter2');
    }
    expect(outcome('--jwt-secret hunter2')).toEqual([
      '--jwt-secret is not taken on the command line, where every user of the machine can read it: use the variable SVRST_JWT_SECRET or the configuration file',
    ]);
  });

  test('any arguments at all end in a command or in mistakes', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'rest',
        'user',
        'create',
        '--',
        '-',
        '--no-',
        '--=',
        '--db-pool',
        '-c',
        '--__proto__',
        '--no-constructor',
        'help',
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
        const parsed = parseCommandLine(argv);
        return parsed.ok ? parsed.value.kind !== undefined : parsed.error.errors.length > 0;
      }),
    );
  });
});
