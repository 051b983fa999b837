// The chosen tab as part of the address (`?tab=groups`): a tab can be linked to, reloaded and gone back to.

import { navigate, usePlace } from './navigation.ts';

/** The first tab is the page's own address. */
export function useTab<Name extends string>(
  names: readonly [Name, ...Name[]],
): readonly [Name, choose: (name: Name) => void] {
  const { path, search } = usePlace();
  const asked = new URLSearchParams(search).get('tab');
  const chosen = names.find((name) => name === asked) ?? names[0];
  return [chosen, (name) => navigate(name === names[0] ? path : `${path}?tab=${name}`)];
}
