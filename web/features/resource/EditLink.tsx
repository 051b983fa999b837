// To the editor of an item, for who may change it.

import type { Resource } from '../../api/types.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';

export function EditLink({
  item,
  to,
  label,
}: {
  readonly item: Resource;
  readonly to: string;
  readonly label: string;
}) {
  if (!item.perms.includes('change_resourcebase')) return null;
  return (
    <Link className="button primary" to={to}>
      <Icon name="edit" />
      {label}
    </Link>
  );
}
