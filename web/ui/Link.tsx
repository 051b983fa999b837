// A link to a page of ours, followed without loading everything anew.

import type { AnchorHTMLAttributes } from 'react';
import { navigate } from '../lib/navigation.ts';
import { pageWithLink } from '../lib/share-link.ts';

export function Link({ to, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }) {
  return (
    <a
      href={pageWithLink(to)}
      {...rest}
      onClick={(event) => {
        onClick?.(event);
        const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (event.defaultPrevented || !isPlain) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}
