// What the portal is set to as far as the pages have to know: whom new things are shared with, how long deleted ones rest in the bin,
// whether letters are sent and who may register.

import { useLoadedFor } from '../api/use-loaded.ts';
import { isFlag, isNumber, isOneOf, isRecordOf } from './guard.ts';

export type Defaults = {
  readonly sharing: 'private' | 'public';
  readonly bin_days: number;
  readonly mail: boolean;
  readonly registration: 'off' | 'open' | 'approval' | 'invitation';
};

const isDefaults = isRecordOf<Defaults>({
  sharing: isOneOf('private', 'public'),
  bin_days: isNumber,
  mail: isFlag,
  registration: isOneOf('off', 'open', 'approval', 'invitation'),
});

/** Undefined as long as it is not known. */
export function useDefaults(): Defaults | undefined {
  const [defaults] = useLoadedFor(isDefaults, '/account/defaults/');
  return defaults.kind === 'loaded' ? defaults.value : undefined;
}
