// Elements to PostgreSQL's array literal. Every element is quoted, so none can be read as NULL, a nested array or two.

const SPECIAL = /["\\]/g;

export function arrayLiteral(elements: readonly string[]): string {
  let literal = '{';
  for (const element of elements) {
    if (literal.length > 1) literal += ',';
    literal += `"${needsEscape(element) ? element.replace(SPECIAL, '\\$&') : element}"`;
  }
  return `${literal}}`;
}

function needsEscape(element: string): boolean {
  return element.includes('"') || element.includes('\\');
}
