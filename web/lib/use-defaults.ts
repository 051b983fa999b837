// What the portal is set to as far as the pages have to know: whom new things are shared with, how long deleted ones rest in the bin,
// whether letters are sent, who may register, and which provider people may sign in with.

import { useLoadedFor } from '../api/use-loaded.ts';
import { isEither, isFlag, isListOf, isNumber, isOneOf, isRecordOf, isText } from './guard.ts';

export type Defaults = {
  readonly sharing: 'private' | 'public';
  readonly bin_days: number;
  readonly mail: boolean;
  /** Sites whose pages stories may show. */
  readonly embed_hosts: readonly string[];
  /** Hosts whose services may be used in maps. */
  readonly remote_hosts: readonly string[];
  /** Administrators run SQL. */
  readonly sql_console: boolean;
  readonly registration: 'off' | 'open' | 'approval' | 'invitation';
  readonly provider: { readonly name: string } | null;
};

const isDefaults = isRecordOf<Defaults>({
  sharing: isOneOf('private', 'public'),
  bin_days: isNumber,
  mail: isFlag,
  embed_hosts: isListOf(isText),
  remote_hosts: isListOf(isText),
  sql_console: isFlag,
  registration: isOneOf('off', 'open', 'approval', 'invitation'),
  provider: isEither(isRecordOf<{ readonly name: string }>({ name: isText }), isOneOf(null)),
});

/** Undefined as long as it is not known. */
export function useDefaults(): Defaults | undefined {
  const [defaults] = useLoadedFor(isDefaults, '/account/defaults/');
  return defaults.kind === 'loaded' ? defaults.value : undefined;
}
