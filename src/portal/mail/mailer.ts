// Mail to people: what is sent, and who sends it. Sending goes on behind the answer to the request; that it failed is observed, not told to the
// caller, to whom it would tell which addresses there are.

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export type Mailer = {
  /** Returns at once. */
  post(mail: Mail): void;
  /** Resolves when everything that was posted has gone, or been given up. */
  close(): Promise<void>;
};
