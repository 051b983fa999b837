// How an error shows itself to the client. A message table has one entry per kind of a union: a kind without a message, or a message
// without a kind, does not compile.

/** What of the request the words depend on. */
export type MessageContext = {
  /** The request runs as another role than the anonymous one. */
  readonly isAuthenticated: boolean;
  /** It would write, and has a token that may only read: `db-token-check` has made its transaction read-only. */
  readonly mayOnlyRead?: boolean;
};

export type ErrorMessage = {
  readonly status: number;
  /** Reason phrase; absent: the usual one of the status. */
  readonly statusText?: string;
  readonly code: string;
  readonly message: string;
  /** Absent is null. */
  readonly details?: string | readonly object[] | null;
  /** Absent is null. */
  readonly hint?: string | null;
  /** Beside or instead of those every error carries. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
};

export type MessageTable<E extends { readonly kind: string }> = {
  readonly [K in E['kind']]: (error: Extract<E, { readonly kind: K }>, context: MessageContext) => ErrorMessage;
};
