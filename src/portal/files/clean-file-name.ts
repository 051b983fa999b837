// The name that a client gave a file → one that is safe in a header and on a disk.

/** The last part of a path, without anything that could mean something elsewhere; `unnamed` where nothing is left. */
export function cleanFileName(name: string, unnamed: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = last.replace(/[\x00-\x1f\x7f"*:<>?|]/g, '_').trim();
  const shortened = [...clean].slice(-200).join('');
  return shortened === '' || shortened === '.' || shortened === '..' ? unnamed : shortened;
}
