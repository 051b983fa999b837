// Keeps who is signed in. When the portal stops knowing it, the page leads to signing in and back.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { get, onSignedOut, send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { forgetToken } from '../../api/rest.ts';
import type { SessionUser } from '../../api/types.ts';
import { forgetLoaded } from '../../api/use-loaded.ts';
import { navigate } from '../../lib/navigation.ts';
import type { Session } from '../../lib/session.ts';

type Reply = { readonly user: SessionUser | null };

export function useOwnSession(page: string): Session {
  const [user, setUser] = useState<SessionUser | null | undefined>(undefined);
  const now = useRef({ user, page });
  now.current = { user, page };

  const refresh = useCallback(async () => {
    const reply = await get<Reply>('/account/session/');
    setUser(reply.ok ? reply.value.user : null);
  }, []);
  useEffect(() => {
    void refresh();
  }, [refresh]);

  useEffect(
    () =>
      onSignedOut(() => {
        if (now.current.user === null || now.current.user === undefined || now.current.page === 'login') return;
        setUser(null);
        forgetLoaded();
        forgetToken();
        const next = encodeURIComponent(window.location.pathname + window.location.search);
        navigate(`/account/login?lost=1&next=${next}`);
      }),
    [],
  );

  return useMemo(
    () => ({
      user,
      refresh,
      async signIn(username: string, password: string): Promise<Failure | undefined> {
        const reply = await send<Reply>('POST', '/account/login/', { body: { username, password } });
        if (!reply.ok) return reply.error;
        forgetLoaded();
        forgetToken();
        setUser(reply.value.user);
        return undefined;
      },
      async signOut(): Promise<void> {
        setUser(null);
        await send('POST', '/account/logout/');
        forgetLoaded();
        forgetToken();
        navigate('/');
      },
    }),
    [user, refresh],
  );
}
