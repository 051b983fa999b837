// A JSON value as YAML: blocks of members and items, every text in double quotes, which YAML reads as JSON does.

export function yamlText(value: unknown): string {
  return `${block(value, 0).trimStart()}\n`;
}

function block(value: unknown, depth: number): string {
  const margin = `\n${'  '.repeat(depth)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return value.map((item) => `${margin}- ${block(item, depth + 1).trimStart()}`).join('');
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    if (members.length === 0) return '{}';
    return members
      .map(([name, member]) => {
        const inside = block(member, depth + 1);
        return `${margin}${key(name)}:${inside.startsWith('\n') ? '' : ' '}${inside}`;
      })
      .join('');
  }
  return JSON.stringify(value) ?? 'null';
}

/** Plain where no reader could take it for anything but a text. */
function key(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$-]*$/.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name)
    ? name
    : JSON.stringify(name);
}
