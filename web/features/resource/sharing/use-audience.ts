// What those that an item is shared with do not see of what it shows: the portal is asked while somebody decides whom to share it with, and told
// afterwards to give them just that.

import { useEffect, useState } from 'react';
import type { Answer } from '../../../api/answer.ts';
import { send } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Permissions, Resource } from '../../../api/types.ts';

export type Audience = Answer<'POST', '/api/v2/audience/'>;

export type Question = {
  /** Not there: it does not exist yet. */
  readonly item?: number;
  readonly permissions: Permissions;
  /** What a story or dashboard says, or `{"layers": […]}`; not there: as it is saved. */
  readonly data?: unknown;
};

export type AudienceShare = {
  /** Undefined: not known yet. */
  readonly audience: Audience | undefined;
  /** What they lack is shared with them when the item is saved. */
  readonly isWanted: boolean;
  readonly want: (wanted: boolean) => void;
  /** Once the item is saved. */
  readonly send: (pk: string) => Promise<Failure | undefined>;
};

/** What is written changes with every key. */
const PAUSE_MS = 300;

/** Only these show others. */
export function showsItems({ resource_type: type }: Pick<Resource, 'resource_type'>): boolean {
  return type === 'map' || type === 'geoapp' || type === 'geostory';
}

/** Undefined: nobody decides anything. */
export function useAudience(question: Question | undefined): AudienceShare {
  const [audience, setAudience] = useState<Audience>();
  const [isWanted, want] = useState(false);
  const asked = question === undefined ? undefined : JSON.stringify(question);
  useEffect(() => {
    if (asked === undefined) return setAudience(undefined);
    const gone = new AbortController();
    const ask = async (): Promise<void> => {
      const reply = await send('POST', '/api/v2/audience/', { body: JSON.parse(asked), signal: gone.signal });
      if (!gone.signal.aborted) setAudience(reply.ok ? reply.value : undefined);
    };
    const timer = setTimeout(() => void ask().catch(() => undefined), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [asked]);
  const isNeeded = isWanted && audience?.lacking.some((one) => one.may_share) === true;
  return {
    audience,
    isWanted,
    want,
    send: async (pk) => (isNeeded ? shareWithAudience(pk) : undefined),
  };
}

export async function shareWithAudience(pk: string): Promise<Failure | undefined> {
  const reply = await send('POST', `/api/v2/resources/${pk}/audience/`);
  return reply.ok ? undefined : reply.error;
}
