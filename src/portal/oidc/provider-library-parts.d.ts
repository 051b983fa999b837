// Types of the parts that provider-library.ts takes: those of the front door.

declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider';
}

declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import type { interactionPolicy } from 'oidc-provider';

  export const Check: typeof interactionPolicy.Check;
  export const base: typeof interactionPolicy.base;
}
