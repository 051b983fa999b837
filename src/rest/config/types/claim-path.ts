// `jwt-role-claim-key`: a path into the claims of a token.

import { type ClaimPath, parseClaimPath, printClaimPath } from '../../../auth/claim-path.ts';
import type { OptionType } from '../../../kernel/options/option.ts';
import { quoteText } from '../../../kernel/options/quote-text.ts';
import { err } from '../../../kernel/result.ts';

export const claimPath: OptionType<ClaimPath> = {
  accepts: 'a path such as .role, ."app data".roles[0] or .roles[?(@ ^== "db_")]',
  parse(raw) {
    if (raw.kind !== 'text') return err('must be a text in double quotes');
    const path = parseClaimPath(raw.text);
    return path.ok ? path : err(path.error.message);
  },
  print: (path) => quoteText(printClaimPath(path)),
};

export const ROLE_CLAIM: ClaimPath = [{ kind: 'key', key: 'role' }];
