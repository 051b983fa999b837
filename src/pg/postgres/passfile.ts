// The password file of libpq (host:port:database:user:password, `*` for any, backslash before : and \) → a password.

import { readFile, stat } from 'node:fs/promises';

export type PasswordQuestion = {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
};

/** Undefined when there is no such file, others may read it (libpq ignores it then, too), or no line fits. */
export async function passwordFromFile(path: string, question: PasswordQuestion): Promise<string | undefined> {
  try {
    const info = await stat(path);
    if (!info.isFile() || (process.platform !== 'win32' && (info.mode & 0o077) !== 0)) return undefined;
    return findPassword(await readFile(path, 'utf8'), question);
  } catch {
    return undefined;
  }
}

export function findPassword(file: string, question: PasswordQuestion): string | undefined {
  // A connection through a socket folder is asked for as localhost.
  const host = question.host.startsWith('/') ? 'localhost' : question.host;
  const wanted = [host, String(question.port), question.database, question.user];
  for (const line of file.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    const fields = splitLine(line);
    if (fields.length === 5 && wanted.every((value, i) => fields[i] === '*' || fields[i] === value)) return fields[4];
  }
  return undefined;
}

function splitLine(line: string): string[] {
  const fields = [''];
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    // The password is the last field; a colon in it needs no backslash.
    if (char === ':' && fields.length < 5) fields.push('');
    else fields[fields.length - 1] += char === '\\' && i + 1 < line.length ? line.charAt(++i) : char;
  }
  return fields;
}
