// The simple markup of stories → blocks and runs of text: paragraphs, `# headings`, `- lists`, `> quotes`, **bold**, *italic* and
// [links](https://…). No HTML: whatever is none of these is text. Pure.

export type Run =
  | { readonly kind: 'text' | 'bold' | 'italic'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string };
export type Block =
  | { readonly kind: 'paragraph' | 'quote'; readonly runs: readonly Run[] }
  | { readonly kind: 'heading'; readonly runs: readonly Run[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Run[])[] };

export function parseMarkup(source: string): readonly Block[] {
  return source
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseBlock);
}

function parseBlock(part: string): Block {
  const lines = part.split('\n');
  if (lines.every((line) => /^\s*[-*]\s+/.test(line)))
    return { kind: 'list', items: lines.map((line) => parseRuns(line.replace(/^\s*[-*]\s+/, ''))) };
  if (lines.length === 1 && /^#{1,3}\s+/.test(part))
    return { kind: 'heading', runs: parseRuns(part.replace(/^#{1,3}\s+/, '')) };
  if (lines.every((line) => line.startsWith('>')))
    return { kind: 'quote', runs: parseRuns(lines.map((line) => line.replace(/^>\s?/, '')).join(' ')) };
  return { kind: 'paragraph', runs: parseRuns(lines.join(' ')) };
}

const MARK = /\*\*([^*\n]{1,500})\*\*|\*([^*\n]{1,500})\*|\[([^\]\n]{1,300})\]\(([^)\s]{1,2000})\)/g;

function parseRuns(line: string): readonly Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (const found of line.matchAll(MARK)) {
    const [whole, bold, italic, label, to] = found;
    if (label !== undefined && (to === undefined || !isSafeLink(to))) continue;
    if (found.index > at) runs.push({ kind: 'text', text: line.slice(at, found.index) });
    if (bold !== undefined) runs.push({ kind: 'bold', text: bold });
    else if (italic !== undefined) runs.push({ kind: 'italic', text: italic });
    else if (label !== undefined && to !== undefined) runs.push({ kind: 'link', text: label, to });
    at = found.index + whole.length;
  }
  if (at < line.length) runs.push({ kind: 'text', text: line.slice(at) });
  return runs;
}

export function isSafeLink(to: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(to) || /^\/(?![/\\])/.test(to) || /^mailto:[^\s]+$/i.test(to);
}
