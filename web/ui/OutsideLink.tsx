// A page of somebody else, opened beside this one; it learns nothing of ours.

import { Icon } from './Icon.tsx';

export function OutsideLink({ href, name }: { readonly href: string; readonly name: string }) {
  if (!/^https?:\/\//i.test(href)) return null;
  return (
    <a className="outside-link" href={href} target="_blank" rel="noopener noreferrer" aria-label={name} title={name}>
      <Icon name="external" />
    </a>
  );
}
