// The OpenID provider's library, by its parts: its front door prints to the console that it is tested on Node 22 and later,
// which is no news for an operator on Node 20. The version is pinned, and our tests run it on Node 20.

import * as interactionPolicy from 'oidc-provider/lib/helpers/interaction_policy/index.js';
import { Provider } from 'oidc-provider/lib/provider.js';

export { interactionPolicy, Provider };
