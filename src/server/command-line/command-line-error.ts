// What can be wrong on the command line, and the words for it. Values of flags are never repeated: one may be a secret.

export type CommandLineError =
  | { readonly kind: 'unknown-command'; readonly word: string; readonly near: string | undefined }
  | { readonly kind: 'incomplete-command'; readonly command: string; readonly choices: readonly string[] }
  | { readonly kind: 'unknown-flag'; readonly flag: string; readonly near: string | undefined }
  | { readonly kind: 'flag-not-here'; readonly flag: string; readonly command: string }
  | { readonly kind: 'missing-value'; readonly flag: string; readonly label: string }
  | { readonly kind: 'needless-value'; readonly flag: string }
  | { readonly kind: 'unknown-choice'; readonly flag: string; readonly choices: readonly string[] }
  | { readonly kind: 'flag-alone'; readonly flag: string; readonly needs: string }
  | { readonly kind: 'missing-operand'; readonly command: string; readonly label: string }
  | { readonly kind: 'extra-operand'; readonly command: string; readonly word: string }
  | { readonly kind: 'modes-clash'; readonly flags: readonly string[] }
  | { readonly kind: 'two-files'; readonly command: string }
  | { readonly kind: 'secret-flag'; readonly flag: string; readonly variable: string };

export type CommandLineMistakes = {
  readonly errors: readonly CommandLineError[];
  /** The command whose help would have helped. */
  readonly command: string;
};

export function describeCommandLineError(error: CommandLineError): string {
  switch (error.kind) {
    case 'unknown-command':
      return `there is no command ${quote(error.word)}${didYouMean(error.near)}${fileHint(error)}`;
    case 'incomplete-command':
      return `${error.command} needs one of: ${error.choices.join(', ')}`;
    case 'unknown-flag':
      return `there is no flag ${error.flag}${didYouMean(error.near)}`;
    case 'flag-not-here':
      return `${error.command} has no flag ${error.flag}`;
    case 'missing-value':
      return `${error.flag} needs a value: ${error.flag} ${error.label}`;
    case 'needless-value':
      return `${error.flag} takes no value`;
    case 'unknown-choice':
      return `${error.flag} is one of: ${error.choices.join(', ')}`;
    case 'flag-alone':
      return `${error.flag} needs ${error.needs} beside it`;
    case 'missing-operand':
      return `${error.command} needs ${error.label}`;
    case 'extra-operand':
      return `${error.command} does not take ${quote(error.word)}`;
    case 'modes-clash':
      return `only one of these at a time: ${error.flags.join(', ')}`;
    case 'two-files':
      return `${error.command} takes one configuration file: as argument or with --config, not both`;
    case 'secret-flag':
      return `${error.flag} is not taken on the command line, where every user of the machine can read it: use the variable ${error.variable} or the configuration file`;
  }
}

/** All mistakes, as the program prints them before it exits with code 1. */
export function describeCommandLineErrors(errors: readonly CommandLineError[], command: string): string {
  return `${errors.map((error) => `survest: ${describeCommandLineError(error)}`).join('\n')}\n${command} --help says more.\n`;
}

function didYouMean(near: string | undefined): string {
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** A configuration file without a dot or a slash in its name looks like a command. */
function fileHint({ word, near }: { readonly word: string; readonly near: string | undefined }): string {
  return near !== undefined || word.includes(' ')
    ? ''
    : `; a configuration file of this folder is named ./${word.slice(0, 60)}`;
}

function quote(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word);
}
