// A database comment → heading and text: the first line is the summary, what follows is the description.

export type CommentLines = { readonly summary?: string; readonly description?: string };

export function commentLines(comment: string | null): CommentLines {
  if (comment === null || comment === '') return {};
  const end = comment.search(/\r?\n/);
  if (end < 0) return { summary: comment };
  const summary = comment.slice(0, end);
  const description = comment.slice(end).replace(/^[\r\n]+/, '');
  return { ...(summary !== '' && { summary }), ...(description !== '' && { description }) };
}
