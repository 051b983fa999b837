// A value as its column shows it: text, a link, or a picture of this site.

import type { Shown } from '../../src/geo/presentation/show-value.ts';

export function ShownValue({ shown }: { readonly shown: Shown }) {
  switch (shown.kind) {
    case 'text':
      return shown.text;
    case 'link':
      return (
        <a href={shown.to} {...(shown.to.startsWith('http') ? OUTSIDE : {})}>
          {shown.text}
        </a>
      );
    case 'picture':
      return <img className="shown-picture" src={shown.from} alt={shown.text} loading="lazy" />;
  }
}

const OUTSIDE = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const;
