// What can act as this account: browsers that are signed in, and the access tokens of scripts. Both can be ended here.

import { AccessTokens } from './AccessTokens.tsx';
import { Browsers } from './Browsers.tsx';

export function AccessTab() {
  return (
    <div className="stack">
      <AccessTokens />
      <Browsers />
    </div>
  );
}
