// Who is signed in, for every page.

import { createContext, useContext } from 'react';
import type { Failure } from '../api/failure.ts';
import type { SessionUser } from '../api/types.ts';

export type Session = {
  /** Undefined: not known yet. Null: a visitor. */
  readonly user: SessionUser | null | undefined;
  /** Why it is not known yet: the portal was asked, and could not be reached. It is asked again by itself. */
  readonly failure: Failure | undefined;
  /** It has ended while there is unsaved work: the page stays, so that one can sign in beside it. */
  readonly isLost: boolean;
  /** The person has read that. */
  forgetLost(): void;
  /** `second-step`: the password was right, and a code is wanted. */
  signIn(username: string, password: string): Promise<Failure | 'second-step' | undefined>;
  /** Without a password. */
  signInWithPasskey(): Promise<Failure | undefined>;
  /** The second step. */
  finishSignIn(code: string): Promise<Failure | undefined>;
  signOut(): Promise<void>;
  /** Asks again, after the profile was changed. */
  refresh(): Promise<void>;
};

export const SessionContext: React.Context<Session> = createContext<Session>({
  user: undefined,
  failure: undefined,
  isLost: false,
  forgetLost: () => undefined,
  signIn: async () => undefined,
  finishSignIn: async () => undefined,
  signInWithPasskey: async () => undefined,
  signOut: async () => undefined,
  refresh: async () => undefined,
});

export function useSession(): Session {
  return useContext(SessionContext);
}
