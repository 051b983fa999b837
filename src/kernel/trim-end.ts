// A text without the run of one character at its end, such as the slashes after a path. A regular expression (`/\/+$/`) looks
// at every run in the text from each of its characters; this looks at the end alone.

export function trimEndOf(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end--;
  return text.slice(0, end);
}
