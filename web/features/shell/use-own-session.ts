// Keeps who is signed in. When the portal stops knowing it, the page leads to signing in and back; one with unsaved work stays, and
// says so.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { getFor, onRefused, send, sendFor } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { forgetToken } from '../../api/rest.ts';
import type { SessionUser } from '../../api/types.ts';
import { forgetLoaded } from '../../api/use-loaded.ts';
import { isEither, isFlag, isNumber, isObject, isOneOf, isRecordOf, isText } from '../../lib/guard.ts';
import { navigate } from '../../lib/navigation.ts';
import { answerWithPasskey } from '../../lib/passkeys.ts';
import type { Session } from '../../lib/session.ts';
import { hasUnsaved } from '../../lib/unsaved.ts';

type Reply = { readonly user: SessionUser | null };

const isReply = isRecordOf<Reply>({
  user: isEither(
    isRecordOf<SessionUser>({
      pk: isNumber,
      username: isText,
      first_name: isText,
      last_name: isText,
      email: isText,
      is_superuser: isFlag,
      needs_second_factor: isFlag,
    }),
    isOneOf(null),
  ),
});

/** So long after an attempt that failed it is asked again who is signed in. */
const ASK_AGAIN_MS = 5000;

/** The person or the device has said no. */
const NO_PASSKEY = 'This passkey could not be used. Try again.';

const isElsewhere = isRecordOf<{ readonly logout_url: string }>({ logout_url: isText });

export function useOwnSession(page: string): Session {
  const [user, setUser] = useState<SessionUser | null | undefined>(undefined);
  const [failure, setFailure] = useState<Failure>();
  const [isLost, setLost] = useState(false);
  /** `turn`: how often somebody signed in or out. An answer from before does not know of it. */
  const now = useRef({ user, page, isAsking: false, turn: 0 });
  now.current.user = user;
  now.current.page = page;

  const refresh = useCallback(async () => {
    const { turn } = now.current;
    const reply = await getFor(isReply, '/account/session/');
    if (now.current.turn !== turn) return;
    // A portal that cannot be reached has not forgotten anybody, and has not said that nobody is signed in.
    const isUnknown = !reply.ok && (reply.error.kind === 'offline' || reply.error.kind === 'server');
    setFailure(isUnknown ? reply.error : undefined);
    setUser((before) => (reply.ok ? reply.value.user : isUnknown ? before : (before ?? null)));
  }, []);
  useEffect(() => {
    void refresh();
  }, [refresh]);
  useEffect(() => {
    if (failure === undefined || user !== undefined) return;
    const again = (): void => void refresh();
    const later = window.setTimeout(again, ASK_AGAIN_MS);
    window.addEventListener('online', again);
    return () => {
      window.clearTimeout(later);
      window.removeEventListener('online', again);
    };
  }, [failure, user, refresh]);

  useEffect(
    () =>
      onRefused(() => {
        // To who has no session any more the portal says the same as to any visitor: not found, not permitted, sign in.
        const { user: before, page: at, isAsking } = now.current;
        if (before === null || before === undefined || at === 'login' || isAsking) return;
        now.current.isAsking = true;
        const { turn } = now.current;
        void getFor(isReply, '/account/session/').then((reply) => {
          now.current.isAsking = false;
          const isGone = reply.ok ? reply.value.user === null : reply.error.kind === 'signed-out';
          if (!isGone || now.current.user === null || now.current.turn !== turn) return;
          if (hasUnsaved()) return setLost(true);
          setUser(null);
          forgetLoaded();
          forgetToken();
          const next = encodeURIComponent(window.location.pathname + window.location.search);
          navigate(`/account/login?lost=1&next=${next}`);
        });
      }),
    [],
  );

  const become = useCallback((next: SessionUser | null): void => {
    now.current.turn += 1;
    forgetLoaded();
    forgetToken();
    setFailure(undefined);
    setUser(next);
  }, []);

  return useMemo(
    () => ({
      user,
      failure,
      isLost,
      forgetLost: () => setLost(false),
      refresh,
      async signIn(username: string, password: string): Promise<Failure | 'second-step' | undefined> {
        const reply = await sendFor(isReply, 'POST', '/account/login/', { body: { username, password } });
        if (!reply.ok) return reply.error;
        if (reply.value.user === null) return 'second-step';
        become(reply.value.user);
        return undefined;
      },
      async signInWithPasskey(): Promise<Failure | undefined> {
        const options = await sendFor(isObject, 'POST', '/account/login/passkey/options/', { body: {} });
        if (!options.ok) return options.error;
        const response = await answerWithPasskey(options.value);
        if (response === undefined) return { kind: 'invalid', said: [{ text: NO_PASSKEY }] };
        const reply = await sendFor(isReply, 'POST', '/account/login/passkey/', { body: { response } });
        if (!reply.ok) return reply.error;
        become(reply.value.user);
        return undefined;
      },
      async finishSignIn(code: string): Promise<Failure | undefined> {
        const reply = await sendFor(isReply, 'POST', '/account/login/second/', { body: { code } });
        if (!reply.ok) return reply.error;
        become(reply.value.user);
        return undefined;
      },
      async signOut(): Promise<void> {
        now.current.turn += 1;
        setUser(null);
        const reply = await send('POST', '/account/logout/');
        forgetLoaded();
        forgetToken();
        // Who came from a provider signs out there, too.
        const there = reply.ok && isElsewhere(reply.value) ? reply.value.logout_url : undefined;
        if (there === undefined) navigate('/');
        else window.location.assign(there);
      },
    }),
    [user, failure, isLost, refresh, become],
  );
}
