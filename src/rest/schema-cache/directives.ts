// Directives in comments of the database: lines that begin with `@survest` are for this service, the others for readers. A comment can
// be written by nobody but the object's owner, goes along with it in dumps, and announces itself as any other change of the schema does.

type Directive = { readonly word: string; readonly rest: string };

export type ReadComment = {
  /** Without the directives; null: nothing else is in it. */
  readonly text: string | null;
  readonly directives: readonly Directive[];
};

const MARK = '@survest';
const NONE: readonly Directive[] = [];

export function readComment(comment: string | null): ReadComment {
  if (comment?.includes(MARK) !== true) return { text: comment, directives: NONE };
  const directives: Directive[] = [];
  const kept: string[] = [];
  for (const line of comment.split('\n')) {
    const [mark, word = '', ...rest] = line.trim().split(/\s+/);
    if (mark === MARK) directives.push({ word, rest: rest.join(' ') });
    else kept.push(line);
  }
  if (directives.length === 0) return { text: comment, directives: NONE };
  const text = kept.join('\n').trim();
  return { text: text === '' ? null : text, directives };
}
