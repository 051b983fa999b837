// Remembers answers to the latest questions: what a misspelling client asks, it asks again and again.

const MAX = 1000;
/** A longer question is no name; remembering it would let a client fill the memory. */
const LONGEST = 256;

export function boundedMemo<T>(answer: (question: string) => T, most: number = MAX): (question: string) => T {
  const known = new Map<string, { readonly answer: T }>();
  return (question) => {
    if (question.length > LONGEST) return answer(question);
    const found = known.get(question) ?? { answer: answer(question) };
    // Put at the end again, so the first is the one not asked for longest.
    known.delete(question);
    known.set(question, found);
    if (known.size > most) {
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    }
    return found.answer;
  };
}
