// What can act as this account: browsers that are signed in, and the access tokens of scripts, both to be ended here; and what signing in takes.

import { useDefaults } from '../../lib/use-defaults.ts';
import { AccessTokens } from './AccessTokens.tsx';
import { Browsers } from './Browsers.tsx';
import { LinkOutcome, ProviderLink } from './ProviderLink.tsx';
import { SecondFactor } from './SecondFactor.tsx';

export function AccessTab() {
  const provider = useDefaults()?.provider ?? null;
  return (
    <div className="stack">
      {provider !== null && <LinkOutcome name={provider.name} />}
      <SecondFactor />
      {provider !== null && <ProviderLink name={provider.name} />}
      <AccessTokens />
      <Browsers />
    </div>
  );
}
