// The counts of several workers → those of the program: added up, except where the largest says more.

/** A delay of one worker is not made longer by the others. */
const LARGEST = /lag|time_seconds/;

export function sumMetrics(texts: readonly string[]): string {
  const lines = new Map<string, number | undefined>();
  for (const text of texts) {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const at = line.startsWith('#') ? -1 : line.lastIndexOf(' ');
      if (at < 0) {
        lines.set(line, undefined);
        continue;
      }
      const name = line.slice(0, at);
      const value = Number(line.slice(at + 1));
      const before = lines.get(name);
      lines.set(name, before === undefined ? value : LARGEST.test(name) ? Math.max(before, value) : before + value);
    }
  }
  return `${inFamilies([...lines]).join('\n')}\n`;
}

/** A metric that only one worker has comes last; its samples still stand behind their own headings. */
function inFamilies(lines: readonly [string, number | undefined][]): string[] {
  const families = new Map<string, string[]>();
  for (const [text, value] of lines) {
    const name = (value === undefined ? text.split(' ')[2] : /^[^{\s]+/.exec(text)?.[0]) ?? '';
    const family = name.replace(/_(bucket|sum|count)$/, '');
    const known = families.get(family) ?? [];
    families.set(family, known);
    known.push(value === undefined ? text : `${text} ${value}`);
  }
  return [...families.values()].flat();
}
