// The claims as the database sees them: the payload's own text with `role` set to the role that was found. The members
// are moved as text, not printed anew: a number beyond 2^53 (an account id, say) must not become its neighbour on the way.

/** `payload` is the text of a JSON object, parsed before. Of repeated members the last counts, as in JSON.parse. */
export function claimsJson(payload: string, role: string): string {
  const members = topLevelMembers(payload);
  members.set('role', JSON.stringify(role));
  let text = '';
  for (const [name, value] of members) text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${value}`;
  return `${text}}`;
}

function topLevelMembers(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = skipBlanks(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const nameEnd = stringEnd(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const valueStart = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    members.set(name, text.slice(valueStart, valueEnd).trimEnd());
    at = skipBlanks(text, valueEnd + 1);
  }
  return members;
}

/** Where the member ends: at the comma or brace that belongs to the outer object. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') {
      at = stringEnd(text, at);
      continue;
    }
    if (depth === 0 && (char === ',' || char === '}')) return at;
    if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    at += 1;
  }
  return at;
}

/** One past the closing quote of the string that starts here. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return at;
}
