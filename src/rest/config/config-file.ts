// Path of a configuration file → the settings it gives, in order, with `import` followed and `$(NAME)` replaced; those below a
// `[name]` by that name. Reads only through the function it is given; every mistake of every file is reported.

import { dirname, isAbsolute, join } from 'node:path';
import type { Environment } from '../../kernel/options/collect.ts';
import type { ConfigError } from '../../kernel/options/config-error.ts';
import type { Given, Place } from '../../kernel/options/origin.ts';
import type { RawValue } from '../../kernel/options/raw-value.ts';
import type { ReadText } from '../../kernel/options/read-text.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type Directive, type FileValue, type Position, parseFileSyntax } from './file-syntax.ts';
import { interpolate } from './interpolate.ts';

const MAX_FILES = 100; // a file that imports another twice, which imports another twice, …

const MAX_SECTIONS = 100;

/** What a configuration file gives. */
export type FileSettings = {
  /** For the program, and for every section that does not say otherwise. */
  readonly given: readonly Given[];
  /** By the name of their section, in the order of the file. */
  readonly sections: ReadonlyMap<string, readonly Given[]>;
};

export const NO_FILE: FileSettings = { given: [], sections: new Map() };

export type ConfigFileInput = { readonly path: string; readonly env: Environment; readonly readText: ReadText };

export async function readConfigFile(input: ConfigFileInput): Promise<Result<FileSettings, readonly ConfigError[]>> {
  const run: Run = { ...input, given: [], sections: new Map(), bound: new Map(), errors: [], files: 0 };
  await readOne(run, input.path, { prefix: '', importedAt: undefined, within: [], section: undefined });
  return run.errors.length === 0 ? ok({ given: run.given, sections: run.sections }) : err(run.errors);
}

type Run = {
  readonly env: Environment;
  readonly readText: ReadText;
  readonly given: Given[];
  readonly sections: Map<string, Given[]>;
  /** What `$(NAME)` can refer to: everything bound so far, by full key, after the name of its section. */
  readonly bound: Map<string, RawValue>;
  readonly errors: ConfigError[];
  files: number;
};

type Context = {
  /** Of the groups around, each with its dot. */
  readonly prefix: string;
  /** Undefined: before the first of them. */
  readonly section: string | undefined;
  readonly importedAt: Place | undefined;
  /** The files being read now, outermost first. */
  readonly within: readonly string[];
};

async function readOne(run: Run, path: string, context: Context): Promise<void> {
  run.files++;
  const source = await run.readText(path);
  if (!source.ok) {
    run.errors.push({ kind: 'file-unreadable', path, reason: source.error, importedAt: context.importedAt });
    return;
  }
  const directives = parseFileSyntax(source.value);
  if (!directives.ok) {
    for (const { at, complaint } of directives.error) {
      run.errors.push({ kind: 'file-syntax', place: { path, ...at }, complaint });
    }
    return;
  }
  await follow(run, directives.value, path, { ...context, within: [...context.within, path] });
}

async function follow(run: Run, directives: readonly Directive[], path: string, around: Context): Promise<void> {
  let context = around;
  for (const directive of directives) {
    switch (directive.kind) {
      case 'bind':
        bind(run, directive, path, context);
        break;
      case 'group':
        await follow(run, directive.body, path, { ...context, prefix: `${context.prefix}${directive.key}.` });
        break;
      case 'import':
        await importFile(run, directive, path, context);
        break;
      case 'section':
        context = beginSection(run, directive, path, around, context);
        break;
    }
  }
}

function beginSection(
  run: Run,
  { name, at }: Extract<Directive, { kind: 'section' }>,
  path: string,
  around: Context,
  before: Context,
): Context {
  const refuse = (complaint: string): Context => {
    run.errors.push({ kind: 'file-syntax', place: { path, ...at }, complaint });
    return before;
  };
  if (around.section !== undefined)
    return refuse(`the file is imported into the section [${around.section}], and cannot have sections of its own`);
  if (run.sections.has(name)) return refuse(`the section [${name}] is there twice`);
  if (run.sections.size >= MAX_SECTIONS) return refuse(`there are more than ${MAX_SECTIONS} sections`);
  run.sections.set(name, []);
  return { ...around, section: name };
}

function bind(run: Run, directive: Extract<Directive, { kind: 'bind' }>, path: string, context: Context): void {
  const value = evaluate(run, directive.value, path, context);
  if (value === undefined) return;
  const name = context.prefix + directive.key;
  run.bound.set(scopeOf(context.section) + name, value);
  const given: Given = { name, value, origin: { kind: 'file', place: { path, ...directive.at } } };
  if (context.section === undefined) run.given.push(given);
  else run.sections.get(context.section)?.push(given);
}

async function importFile(
  run: Run,
  directive: Extract<Directive, { kind: 'import' }>,
  path: string,
  context: Context,
): Promise<void> {
  const named = replace(run, directive.path, directive.at, path, context);
  if (named === undefined) return;
  const importedAt: Place = { path, ...directive.at };
  const target = isAbsolute(named) ? named : join(dirname(path), named);
  if (context.within.includes(target)) run.errors.push({ kind: 'import-cycle', path: target, importedAt });
  else if (run.files >= MAX_FILES) {
    run.errors.push({
      kind: 'file-syntax',
      place: importedAt,
      complaint: `more than ${MAX_FILES} files are imported`,
    });
  } else await readOne(run, target, { ...context, importedAt });
}

function evaluate(run: Run, value: FileValue, path: string, context: Context): RawValue | undefined {
  switch (value.kind) {
    case 'text': {
      const text = replace(run, value.text, value.at, path, context);
      return text === undefined ? undefined : { kind: 'text', text };
    }
    case 'list': {
      const items = value.items.map((item) => evaluate(run, item, path, context));
      return { kind: 'list', items: items.filter((item) => item !== undefined) };
    }
    case 'number':
    case 'truth':
      return value;
  }
}

function replace(run: Run, text: string, at: Position, path: string, context: Context): string | undefined {
  const replaced = interpolate(text, (name) => lookUp(run, name, context));
  if (replaced.ok) return replaced.value;
  run.errors.push({ kind: 'file-syntax', place: { path, ...at }, complaint: replaced.error });
  return undefined;
}

function scopeOf(section: string | undefined): string {
  return section === undefined ? '' : `[${section}]`;
}

/** A setting bound earlier, the innermost group first, those of the section before those above it; then an environment variable. */
function lookUp(run: Run, name: string, { prefix, section }: Context): RawValue | undefined {
  for (const of of section === undefined ? [''] : [scopeOf(section), '']) {
    for (let scope = prefix; ; scope = scope.slice(0, scope.lastIndexOf('.', scope.length - 2) + 1)) {
      const found = run.bound.get(of + scope + name);
      if (found !== undefined) return found;
      if (scope === '') break;
    }
  }
  const variable = Object.hasOwn(run.env, name) ? run.env[name] : undefined;
  return variable === undefined ? undefined : { kind: 'text', text: variable };
}
