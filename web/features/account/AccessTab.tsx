// What can act as this account: browsers that are signed in, and the access tokens of scripts, both to be ended here; and what signing in takes.

import { AccessTokens } from './AccessTokens.tsx';
import { Browsers } from './Browsers.tsx';
import { SecondFactor } from './SecondFactor.tsx';

export function AccessTab() {
  return (
    <div className="stack">
      <SecondFactor />
      <AccessTokens />
      <Browsers />
    </div>
  );
}
