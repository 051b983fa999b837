// The help of each command, made from the command table and the option table.

import { defaultWords } from '../../kernel/options/docs.ts';
import { optionsOf, type SingleOption, variableName } from '../../kernel/options/option.ts';
import { truth } from '../../kernel/options/types/truth.ts';
import { NAMING } from '../../rest/config/naming.ts';
import { serverOptions } from '../config/config.ts';
import {
  COMMAND_FAMILIES,
  COMMANDS,
  COMMON_FLAGS,
  type CommandFamily,
  type CommandName,
  type CommandSpec,
  type FlagSpec,
  type HelpTopic,
} from './command-table.ts';
import { EXIT_CODES } from './exit-code.ts';

const WIDTH = 100;

const FAMILIES = Object.keys(COMMAND_FAMILIES) as readonly CommandFamily[];

export const HELP_TOPICS: readonly HelpTopic[] = [...COMMANDS.map((spec) => spec.name), ...FAMILIES];

function isFamily(topic: HelpTopic): topic is CommandFamily {
  return Object.hasOwn(COMMAND_FAMILIES, topic);
}

export function helpText(topic: HelpTopic): string {
  if (isFamily(topic)) return familyHelp(topic);
  const spec = COMMANDS.find((each) => each.name === topic);
  if (spec === undefined) throw new Error(`no command ${topic} in the table`);
  return page([
    topic === 'survest'
      ? 'Survest: a PostgreSQL/PostGIS database as a secure REST API and a geospatial portal.'
      : `${fullName(topic)}: ${spec.summary}.`,
    section('Usage', usage(spec)),
    wrap(spec.about, ''),
    topic === 'survest' ? section('Commands', rows(commandRows())) : undefined,
    section('Options', rows([...operandRows(spec), ...[...spec.flags, ...COMMON_FLAGS].map(flagRow)])),
    section('Settings', settingsPart(spec)),
    section('Environment', rows(environmentRows())),
    section('Exit codes', rows(EXIT_CODES.map(([code, meaning]) => [String(code), meaning]))),
    section('Examples', rows(spec.examples)),
  ]);
}

function familyHelp(family: CommandFamily): string {
  const verbs = COMMANDS.filter((spec) => spec.name.startsWith(`${family} `));
  return page([
    `survest ${family}: ${COMMAND_FAMILIES[family]}.`,
    section('Usage', verbs.flatMap(usage)),
    section('Commands', rows(verbs.map((spec) => [fullName(spec.name), spec.summary]))),
    section('Examples', rows(verbs.flatMap((spec) => spec.examples))),
    `${fullName(verbs[0]?.name ?? 'survest')} --help says more of one of them.`,
  ]);
}

type Row = readonly [left: string, right: string];

function usage(spec: CommandSpec): readonly string[] {
  const operand =
    spec.operand === undefined ? '' : ` ${spec.operand.min === 0 ? `[${spec.operand.label}]` : spec.operand.label}`;
  const line = `  ${fullName(spec.name)}${operand} [options]`;
  return spec.name === 'survest' ? [line, '  survest COMMAND … [options]'] : [line];
}

function commandRows(): readonly Row[] {
  return [
    ...COMMANDS.map((spec): Row => [fullName(spec.name), spec.summary]),
    ['survest help COMMAND', 'what a command takes'],
  ];
}

function operandRows(spec: CommandSpec): readonly Row[] {
  return spec.operand === undefined ? [] : [[spec.operand.label, spec.operand.doc]];
}

function flagRow(flag: FlagSpec): Row {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  return [`${short}--${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}`, flag.doc];
}

function settingsPart(spec: CommandSpec): readonly string[] {
  const intro = wrap(
    'Every setting can be a flag (--db-pool 20, --no-demo), a variable (SVRST_DB_POOL=20) or a line of the configuration file (db-pool = 20). Flags win over the database, the database over variables, variables over the file. survest --example lists all settings. Here the most used:',
    '  ',
  );
  return [...intro, '', ...rows(spec.settings.map(settingRow))];
}

function settingRow(name: string): Row {
  const found = optionsOf(serverOptions).find(([, each]) => each.kind === 'single' && each.name === name)?.[1];
  if (found?.kind !== 'single') throw new Error(`no setting ${name} in the table`);
  return [settingLabel(found), `${found.doc} Default: ${defaultWords(found)}.`.replaceAll('`', '')];
}

function settingLabel(single: SingleOption<unknown>): string {
  return single.type === truth ? `--[no-]${single.name}` : `--${single.name} VALUE`;
}

function environmentRows(): readonly Row[] {
  return [
    [variableName(NAMING.ownPrefix, '…'), 'settings by name: db-uri is SVRST_DB_URI'],
    [variableName(NAMING.otherPrefix, '…'), 'the same, as PostgREST names them; read where the SVRST_ one is unset'],
    ['PGHOST, PGUSER, …', 'what a db-uri leaves out'],
  ];
}

function fullName(name: CommandName): string {
  return name === 'survest' ? 'survest' : `survest ${name}`;
}

function page(parts: readonly (string | readonly string[] | undefined)[]): string {
  const texts = parts
    .filter((part) => part !== undefined)
    .map((part) => (typeof part === 'string' ? part : part.join('\n')));
  return `${texts.join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [`${title}:`, ...lines];
}

const LONGEST_LEFT = 34;

/** Two columns; what is too long on the left gets a line of its own. */
function rows(pairs: readonly Row[]): readonly string[] {
  const left = Math.min(LONGEST_LEFT, Math.max(...pairs.map(([label]) => label.length)));
  const indent = ' '.repeat(left + 4);
  return pairs.flatMap(([label, words]) => {
    const [first = '', ...rest] = wrap(words, indent);
    if (label.length > left) return [`  ${label}`, first, ...rest];
    return [`  ${label.padEnd(left)}  ${first.trimStart()}`, ...rest];
  });
}

function wrap(words: string, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line];
}
