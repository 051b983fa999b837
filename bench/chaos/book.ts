// The book of a chaos run: what was asked for, what was acknowledged, and what was never answered.

type Kind = 'map' | 'deletion' | 'feature' | 'document' | 'upload';

export class Book {
  readonly #acknowledged = new Map<Kind, Map<string, string>>();
  readonly #unanswered = new Map<Kind, Set<string>>();
  readonly #answers = new Map<string, number>();

  /** `value`: what is needed to find it again. */
  acknowledge(kind: Kind, name: string, value = ''): void {
    const entries = this.#acknowledged.get(kind) ?? new Map<string, string>();
    this.#acknowledged.set(kind, entries.set(name, value));
  }

  leaveOpen(kind: Kind, name: string): void {
    this.#unanswered.set(kind, (this.#unanswered.get(kind) ?? new Set()).add(name));
  }

  /** It was answered after all. */
  close(kind: Kind, name: string): void {
    this.#unanswered.get(kind)?.delete(name);
  }

  answered(what: string): void {
    this.#answers.set(what, (this.#answers.get(what) ?? 0) + 1);
  }

  of(kind: Kind): ReadonlyMap<string, string> {
    return this.#acknowledged.get(kind) ?? new Map();
  }

  openOf(kind: Kind): ReadonlySet<string> {
    return this.#unanswered.get(kind) ?? new Set();
  }

  answers(): string {
    return [...this.#answers]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([what, n]) => `${what} ${n}`)
      .join(', ');
  }

  acknowledged(): string {
    return [...this.#acknowledged].map(([kind, entries]) => `${kind}s ${entries.size}`).join(', ');
  }

  unanswered(): string {
    return [...this.#unanswered].map(([kind, entries]) => `${kind}s ${entries.size}`).join(', ') || 'none';
  }
}
