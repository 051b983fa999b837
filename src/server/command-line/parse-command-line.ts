// Arguments of the program → the one command they ask for, or everything that is wrong with them. Pure: nothing is read,
// nothing is run. Settings given as flags become values for loading, which judges them.

import { parseArgs } from 'node:util';
import { nearestName } from '../../kernel/options/nearest-name.ts';
import { namesOf, optionsOf, type SingleOption, variableName } from '../../kernel/options/option.ts';
import type { Given } from '../../kernel/options/origin.ts';
import { rawText } from '../../kernel/options/raw-value.ts';
import { truth } from '../../kernel/options/types/truth.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { NAMING } from '../../rest/config/naming.ts';
import { type Services, serverOptions } from '../config/config.ts';
import type { CommandLineError, CommandLineMistakes } from './command-line-error.ts';
import {
  COMMAND_FAMILIES,
  COMMANDS,
  COMMON_FLAGS,
  type CommandFamily,
  type CommandName,
  type CommandSpec,
  type FlagSpec,
  type HelpTopic,
  MODES,
  servicesOf,
  type TypesFormat,
} from './command-table.ts';

export type MigrateChoice = {
  /** The portal's tables are left alone: for a database that only the REST service uses. */
  readonly restOnly: boolean;
  readonly removeEventTrigger: boolean;
  /** A change of the schema whose file was changed after it was applied, and is to be taken for applied. */
  readonly accept: string | undefined;
};

/** Where the settings of a command come from, besides the environment. */
export type SettingSources = {
  readonly file: string | undefined;
  /** The one of the file's sections that the command is about, where it has some and one was named. */
  readonly section?: string | undefined;
  readonly args: readonly Given[];
};

/** Concerns the services of one process: runs them, or tells something about them. */
type ServiceCommand<Kind extends string> = { readonly kind: Kind; readonly services: Services } & SettingSources;

export type Command =
  | { readonly kind: 'help'; readonly topic: HelpTopic }
  | { readonly kind: 'version' }
  | { readonly kind: 'example'; readonly services: Services }
  | ServiceCommand<'serve'>
  | ServiceCommand<'dump-config'>
  | ServiceCommand<'dump-schema'>
  | ServiceCommand<'ready'>
  | ({
      readonly kind: 'user-create';
      readonly name: string;
      readonly admin: boolean;
      readonly email: string | undefined;
      readonly passwordFrom: PasswordFrom;
    } & SettingSources)
  | ({ readonly kind: 'user-passwd'; readonly name: string; readonly passwordFrom: PasswordFrom } & SettingSources)
  | ({ readonly kind: 'user-list'; readonly json: boolean } & SettingSources)
  | ({ readonly kind: 'migrate' } & MigrateChoice & SettingSources)
  | ({
      readonly kind: 'import';
      readonly files: readonly string[];
      readonly title: string | undefined;
      readonly as: string | undefined;
      readonly crs: string | undefined;
      readonly charset: string | undefined;
      readonly x: string | undefined;
      readonly y: string | undefined;
    } & SettingSources)
  | ({
      readonly kind: 'process';
      /** Undefined: the processes are listed. */
      readonly process: string | undefined;
      /** `name=value`, as they were written. */
      readonly inputs: readonly string[];
      readonly title: string | undefined;
      readonly as: string | undefined;
    } & SettingSources)
  | ({ readonly kind: 'doctor'; readonly fix: boolean; readonly json: boolean } & SettingSources)
  | ({
      readonly kind: 'live-install';
      readonly tables: readonly string[];
      /** Undefined: the one of the connection. */
      readonly role: string | undefined;
      /** Undefined: as the server allows. */
      readonly by: 'decoding' | 'triggers' | undefined;
      readonly print: boolean;
    } & SettingSources)
  | ({ readonly kind: 'live-remove'; readonly tables: readonly string[]; readonly print: boolean } & SettingSources)
  | ({ readonly kind: 'live-status'; readonly json: boolean } & SettingSources)
  | ({ readonly kind: 'status'; readonly json: boolean } & SettingSources)
  | ({
      readonly kind: 'maintenance';
      readonly mode: 'normal' | 'read-only' | 'maintenance';
      readonly message: string | undefined;
    } & SettingSources)
  | ({
      readonly kind: 'backup';
      /** Undefined: into a place that keeps many. */
      readonly archive: string | undefined;
      readonly to: string | undefined;
      readonly keep: number | undefined;
      readonly list: boolean;
    } & SettingSources)
  | ({
      readonly kind: 'restore';
      readonly archive: string;
      readonly backup: string | undefined;
      readonly check: boolean;
    } & SettingSources)
  | ({ readonly kind: 'move'; readonly to: string | undefined; readonly filesTo: string | undefined } & SettingSources)
  | (ServiceCommand<'types'> & {
      readonly format: TypesFormat;
      /** Undefined: standard output. */
      readonly output: string | undefined;
      /** Empty: all that are exposed. */
      readonly schemas: readonly string[];
      readonly watch: boolean;
    });

export type PasswordFrom = 'terminal' | 'stdin';

/** @param argv what stands after the program's name */
export function parseCommandLine(argv: readonly string[]): Result<Command, CommandLineMistakes> {
  const { flags, words } = tokenize(argv);
  const unknown = flags.flatMap((flag): CommandLineError[] =>
    isKnownFlag(flag.name) ? [] : [{ kind: 'unknown-flag', flag: flag.written, near: nearFlag(flag.name) }],
  );
  const asksHelp = flags.some((flag) => flag.name === 'help');
  const chosen = chooseCommand(words, flags);

  if (asksHelp) {
    if (chosen.kind === 'command') return ok({ kind: 'help', topic: chosen.spec.name });
    return ok({ kind: 'help', topic: chosen.kind === 'incomplete' ? chosen.topic : 'survest' });
  }
  // The word after a misspelt flag was meant as its value, which may be a secret: nothing is said about words then.
  if (unknown.length > 0) return err({ errors: unknown, command: commandLabel(chosen) });
  if (flags.some((flag) => flag.name === 'version')) return ok({ kind: 'version' });
  switch (chosen.kind) {
    case 'help':
      return ok({ kind: 'help', topic: chosen.topic });
    case 'unknown':
      return err({ errors: [chosen.error], command: 'survest' });
    case 'incomplete':
      return err({ errors: [chosen.error], command: `survest ${chosen.topic}` });
    case 'command':
      return readCommand(chosen.spec, chosen.operands, flags);
  }
}

// ── tokens ──

type Flag = {
  readonly name: string;
  /** As typed, without its value: `--db-uri`, `-h`. */
  readonly written: string;
  readonly value: string | undefined;
  /** Written as one word with the flag: `--name=value`. */
  readonly inline: boolean;
};

const SETTINGS: ReadonlyMap<string, SingleOption<unknown>> = new Map(
  optionsOf(serverOptions).flatMap(([, each]) =>
    each.kind === 'single' ? namesOf(each).map((name) => [name, each] as const) : [],
  ),
);

const COMMAND_FLAGS: ReadonlyMap<string, FlagSpec> = new Map(
  [...COMMON_FLAGS, ...COMMANDS.flatMap((command) => command.flags)].map((flag) => [flag.name, flag]),
);

const TOKEN_OPTIONS = Object.fromEntries([
  ...[...COMMAND_FLAGS.values()].map((flag) => [
    flag.name,
    {
      type: flag.value === undefined ? 'boolean' : 'string',
      ...(flag.short === undefined ? {} : { short: flag.short }),
    } as const,
  ]),
  ...[...SETTINGS].map(([name, setting]) => [name, { type: isSwitch(setting) ? 'boolean' : 'string' } as const]),
]);

function isSwitch(setting: SingleOption<unknown>): boolean {
  return setting.type === truth;
}

function tokenize(argv: readonly string[]): { flags: readonly Flag[]; words: readonly string[] } {
  const { tokens } = parseArgs({ args: [...argv], options: TOKEN_OPTIONS, strict: false, tokens: true });
  const flags: Flag[] = [];
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    else if (token.kind === 'option') {
      flags.push({ name: token.name, written: token.rawName, value: token.value, inline: token.inlineValue ?? false });
    }
  }
  return { flags, words };
}

function isKnownFlag(name: string): boolean {
  return COMMAND_FLAGS.has(name) || SETTINGS.has(name) || negated(name) !== undefined;
}

/** `no-demo` → the setting `demo`. */
function negated(name: string): SingleOption<unknown> | undefined {
  const setting = name.startsWith('no-') ? SETTINGS.get(name.slice(3)) : undefined;
  return setting !== undefined && isSwitch(setting) ? setting : undefined;
}

function nearFlag(name: string): string | undefined {
  const near = nearestName(name, [...COMMAND_FLAGS.keys(), ...SETTINGS.keys()]);
  return near === undefined ? undefined : `--${near}`;
}

// ── which command ──

type Chosen =
  | { readonly kind: 'command'; readonly spec: CommandSpec; readonly operands: readonly string[] }
  | { readonly kind: 'help'; readonly topic: HelpTopic }
  | { readonly kind: 'incomplete'; readonly topic: CommandFamily; readonly error: CommandLineError }
  | { readonly kind: 'unknown'; readonly error: CommandLineError };

const BY_NAME: ReadonlyMap<string, CommandSpec> = new Map(COMMANDS.map((spec) => [spec.name, spec]));
const FIRST_WORDS: readonly string[] = [
  ...new Set(COMMANDS.map((spec) => spec.name.split(' ')[0] ?? '')),
  'help',
].filter((word) => word !== 'survest');

function verbsOf(family: CommandFamily): readonly string[] {
  return COMMANDS.flatMap((spec) => (spec.name.startsWith(`${family} `) ? [spec.name.slice(family.length + 1)] : []));
}

function isFamily(word: string): word is CommandFamily {
  return Object.hasOwn(COMMAND_FAMILIES, word);
}

function chooseCommand(words: readonly string[], flags: readonly Flag[]): Chosen {
  const [first, second] = words;
  if (first === undefined) return command('survest', words);
  if (first === 'help') {
    const topic = chooseCommand(words.slice(1), flags);
    if (topic.kind === 'command') return { kind: 'help', topic: topic.spec.name };
    return topic.kind === 'incomplete' ? { kind: 'help', topic: topic.topic } : topic;
  }
  if (isFamily(first)) {
    const spec = BY_NAME.get(`${first} ${second}`);
    if (spec !== undefined) return { kind: 'command', spec, operands: words.slice(2) };
    if (second === undefined) {
      return {
        kind: 'incomplete',
        topic: first,
        error: { kind: 'incomplete-command', command: first, choices: verbsOf(first) },
      };
    }
    const near = nearestName(second, verbsOf(first));
    return {
      kind: 'incomplete',
      topic: first,
      error: { kind: 'unknown-command', word: `${first} ${second}`, near: near && `${first} ${near}` },
    };
  }
  const spec = first === 'survest' ? undefined : BY_NAME.get(first);
  if (spec !== undefined) return { kind: 'command', spec, operands: words.slice(1) };
  // A configuration file may stand where a command would; what cannot be told from a misspelt command is taken for one.
  const isFile = /[./\\]/.test(first) || flags.some((flag) => MODES.includes(flag.name));
  if (isFile) return command('survest', words);
  return { kind: 'unknown', error: { kind: 'unknown-command', word: first, near: nearestName(first, FIRST_WORDS) } };
}

function command(name: CommandName, operands: readonly string[]): Chosen {
  const spec = BY_NAME.get(name);
  if (spec === undefined) throw new Error(`no command ${name} in the table`);
  return { kind: 'command', spec, operands };
}

function commandLabel(chosen: Chosen): string {
  return chosen.kind === 'command' ? fullName(chosen.spec) : 'survest';
}

function fullName(spec: CommandSpec): string {
  return spec.name === 'survest' ? 'survest' : `survest ${spec.name}`;
}

// ── the command itself ──

function readCommand(
  spec: CommandSpec,
  operands: readonly string[],
  flags: readonly Flag[],
): Result<Command, CommandLineMistakes> {
  const errors: CommandLineError[] = [];
  const own = new Map<string, string | undefined>();
  const args: Given[] = [];
  for (const flag of flags) {
    const known = COMMAND_FLAGS.get(flag.name);
    if (known !== undefined) readFlag(spec, known, flag, own, errors);
    else readSetting(flag, args, errors);
  }
  const file = configFile(spec, operands, own, errors);
  checkOperands(spec, operands, errors);
  const modes = MODES.filter((mode) => own.has(mode));
  for (const { name, needs, excludes } of spec.flags) {
    if (excludes !== undefined && own.has(name) && own.has(excludes))
      errors.push({ kind: 'modes-clash', flags: [`--${excludes}`, `--${name}`] });
    if (needs !== undefined && own.has(name) && !own.has(needs))
      errors.push({ kind: 'flag-alone', flag: `--${name}`, needs: `--${needs}` });
  }
  if (modes.length > 1) errors.push({ kind: 'modes-clash', flags: modes.map((mode) => `--${mode}`) });
  if (errors.length > 0) return err({ errors, command: fullName(spec) });
  const all = (name: string): readonly string[] =>
    flags.flatMap((flag) => (flag.name === name && flag.value !== undefined ? [flag.value] : []));
  return ok(
    makeCommand(spec.name, { own, all, operands, mode: modes[0] }, { file, section: own.get('database'), args }),
  );
}

function readFlag(
  spec: CommandSpec,
  known: FlagSpec,
  flag: Flag,
  own: Map<string, string | undefined>,
  errors: CommandLineError[],
): void {
  const here = [...COMMON_FLAGS, ...spec.flags].some((each) => each.name === known.name);
  if (!here) errors.push({ kind: 'flag-not-here', flag: flag.written, command: fullName(spec) });
  else if (known.value === undefined && flag.value !== undefined)
    errors.push({ kind: 'needless-value', flag: flag.written });
  else if (known.value !== undefined && !hasValue(flag)) {
    errors.push({ kind: 'missing-value', flag: flag.written, label: known.value });
  } else if (known.choices !== undefined && !known.choices.includes(flag.value ?? '')) {
    errors.push({ kind: 'unknown-choice', flag: flag.written, choices: known.choices });
  } else own.set(known.name, flag.value);
}

function readSetting(flag: Flag, args: Given[], errors: CommandLineError[]): void {
  const opposite = SETTINGS.has(flag.name) ? undefined : negated(flag.name);
  const setting = opposite ?? SETTINGS.get(flag.name);
  if (setting === undefined) return;
  if (!setting.onCommandLine) {
    errors.push({ kind: 'secret-flag', flag: flag.written, variable: variableName(NAMING.ownPrefix, setting.name) });
  } else if (opposite !== undefined && flag.value !== undefined)
    errors.push({ kind: 'needless-value', flag: flag.written });
  else if (!isSwitch(setting) && !hasValue(flag)) {
    errors.push({ kind: 'missing-value', flag: flag.written, label: 'VALUE' });
  } else {
    const value = opposite !== undefined ? 'false' : (flag.value ?? 'true');
    const name = opposite?.name ?? flag.name;
    args.push({ name, value: rawText(value), origin: { kind: 'argument', flag: flag.written } });
  }
}

/** The next word is no value when it is a flag itself; `--name=-value` says that it is meant. */
function hasValue(flag: Flag): boolean {
  if (flag.value === undefined) return false;
  return flag.inline || !/^-[^\d]/.test(flag.value);
}

function takesConfigFile(spec: CommandSpec): boolean {
  return spec.operand?.label === 'FILE';
}

function configFile(
  spec: CommandSpec,
  operands: readonly string[],
  own: ReadonlyMap<string, string | undefined>,
  errors: CommandLineError[],
): string | undefined {
  const named = own.get('config');
  const first = takesConfigFile(spec) ? operands[0] : undefined;
  if (named !== undefined && first !== undefined) errors.push({ kind: 'two-files', command: fullName(spec) });
  return named ?? first;
}

function checkOperands(spec: CommandSpec, operands: readonly string[], errors: CommandLineError[]): void {
  const { min, max } = spec.operand ?? { min: 0, max: 0 };
  const extra = operands[max];
  if (operands.length < min) {
    errors.push({ kind: 'missing-operand', command: fullName(spec), label: spec.operand?.label ?? '' });
  } else if (extra !== undefined) errors.push({ kind: 'extra-operand', command: fullName(spec), word: extra });
}

type Parts = {
  readonly own: ReadonlyMap<string, string | undefined>;
  /** All values of a flag that was given several times. */
  readonly all: (flag: string) => readonly string[];
  readonly operands: readonly string[];
  readonly mode: string | undefined;
};

function makeCommand(name: CommandName, { own, all, operands, mode }: Parts, sources: SettingSources): Command {
  const services = servicesOf(name);
  const passwordFrom: PasswordFrom = own.has('password-stdin') ? 'stdin' : 'terminal';
  const [first = ''] = operands;
  switch (name) {
    case 'survest':
    case 'rest':
    case 'portal':
    case 'worker':
      if (mode === 'example') return { kind: 'example', services };
      if (mode === 'dump-config' || mode === 'dump-schema' || mode === 'ready')
        return { kind: mode, services, ...sources };
      return { kind: 'serve', services, ...sources };
    case 'user create':
      return {
        kind: 'user-create',
        name: first,
        admin: own.has('admin'),
        email: own.get('email'),
        passwordFrom,
        ...sources,
      };
    case 'user passwd':
      return { kind: 'user-passwd', name: first, passwordFrom, ...sources };
    case 'user list':
      return { kind: 'user-list', json: own.has('json'), ...sources };
    case 'migrate':
      return {
        kind: 'migrate',
        restOnly: own.has('rest-only'),
        removeEventTrigger: own.has('remove-event-trigger'),
        accept: own.get('accept'),
        ...sources,
      };
    case 'import':
      return {
        kind: 'import',
        files: operands,
        title: own.get('title'),
        as: own.get('as'),
        crs: own.get('crs'),
        charset: own.get('charset'),
        x: own.get('x-column'),
        y: own.get('y-column'),
        ...sources,
      };
    case 'process':
      return {
        kind: 'process',
        process: operands[0],
        inputs: operands.slice(1),
        title: own.get('title'),
        as: own.get('as'),
        ...sources,
      };
    case 'doctor':
      return { kind: 'doctor', fix: own.has('fix'), json: own.has('json'), ...sources };
    case 'live install':
      return {
        kind: 'live-install',
        tables: operands,
        role: own.get('for') ?? own.get('role'),
        by: own.has('decoding') ? 'decoding' : own.has('triggers') ? 'triggers' : undefined,
        print: own.has('print'),
        ...sources,
      };
    case 'live remove':
      return { kind: 'live-remove', tables: operands, print: own.has('print'), ...sources };
    case 'live status':
      return { kind: 'live-status', json: own.has('json'), ...sources };
    case 'status':
      return { kind: 'status', json: own.has('json'), ...sources };
    case 'maintenance on':
      return { kind: 'maintenance', mode: 'maintenance', message: own.get('message'), ...sources };
    case 'maintenance read-only':
      return { kind: 'maintenance', mode: 'read-only', message: own.get('message'), ...sources };
    case 'maintenance off':
      return { kind: 'maintenance', mode: 'normal', message: undefined, ...sources };
    case 'backup':
      return {
        kind: 'backup',
        archive: operands[0],
        to: own.get('to'),
        keep: own.has('keep') ? Number(own.get('keep')) : undefined,
        list: own.has('list'),
        ...sources,
      };
    case 'restore':
      return { kind: 'restore', archive: first, backup: own.get('backup'), check: own.has('check'), ...sources };
    case 'move':
      return { kind: 'move', to: own.get('to'), filesTo: own.get('files-to'), ...sources };
    case 'types':
      return {
        kind: 'types',
        services,
        format: own.get('format') === 'json-schema' ? 'json-schema' : 'typescript',
        output: own.get('output'),
        schemas: all('schema'),
        watch: own.has('watch'),
        ...sources,
      };
  }
}
