// The head of an item's page: what it is, whose, and what one may do with it.

import { type ReactNode, useState } from 'react';
import type { Permission, Resource } from '../../api/types.ts';
import { useCountView } from '../../api/use-count-view.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { ownerName, TypeMark } from '../catalogue/ResourceCard.tsx';
import { FollowButton } from '../social/FollowButton.tsx';
import { Rating } from '../social/Rating.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { FavouriteButton } from './FavouriteButton.tsx';
import { MetadataDialog } from './MetadataDialog.tsx';
import { AudienceNote } from './sharing/AudienceNote.tsx';
import { SharingBadge } from './sharing/SharingBadge.tsx';
import { SharingDialog } from './sharing/SharingDialog.tsx';
import { VersionsDialog } from './VersionsDialog.tsx';
import './resource.css';

export function ResourceHead({
  item,
  onChanged,
  children,
}: {
  readonly item: Resource;
  readonly onChanged: () => void;
  readonly children?: ReactNode;
}) {
  const t = useText();
  // Sharing was changed: what others lack is asked anew.
  const [changes, setChanges] = useState(0);
  const [open, setOpen] = useState<'share' | 'metadata' | 'versions' | 'delete'>();
  usePageTitle(item.title);
  useCountView(item.pk);
  const may = (name: Permission): boolean => item.perms.includes(name);
  const close = (): void => setOpen(undefined);
  return (
    <header className="resource-head">
      <Link to="/" className="back-link">
        <Icon name="left" />
        {t('nav.catalogue')}
      </Link>
      <div className="resource-title">
        <div className="stack tight grow">
          <div className="row">
            <TypeMark type={item.resource_type} subtype={item.subtype} />
            <SharingBadge sharing={item.sharing} />
            {item.featured && <span className="badge warm">{t('featured')}</span>}
            {!item.is_published && <span className="badge">{t('unpublished')}</span>}
            {!item.is_approved && <span className="badge">{t('unapproved')}</span>}
          </div>
          <h1>{item.title}</h1>
          <p className="soft">{t('resource.by', { name: ownerName(item.owner), date: t.date(item.last_updated) })}</p>
          <Rating item={item} />
        </div>
        <div className="row tight resource-actions">
          {children}
          <FavouriteButton item={item} />
          <FollowButton item={item} />
          <Button icon="share" onClick={() => setOpen('share')}>
            {t('action.share')}
          </Button>
          {may('change_resourcebase_metadata') && (
            <Button icon="edit" onClick={() => setOpen('metadata')}>
              {t('resource.describe')}
            </Button>
          )}
          {(may('change_resourcebase') || may('change_resourcebase_metadata') || may('change_layer_style')) && (
            <IconButton look="plain" icon="history" name={t('versions.title')} onClick={() => setOpen('versions')} />
          )}
          {may('delete_resourcebase') && (
            <Button
              icon="trash"
              look="danger"
              className="icon"
              aria-label={t('action.delete')}
              title={t('action.delete')}
              onClick={() => setOpen('delete')}
            />
          )}
        </div>
      </div>
      <AudienceNote key={changes} item={item} />
      {open === 'share' && (
        <SharingDialog
          item={item}
          onClose={close}
          onSaved={() => {
            setChanges((n) => n + 1);
            onChanged();
          }}
        />
      )}
      {open === 'metadata' && (
        <MetadataDialog
          item={item}
          onClose={close}
          onSaved={() => {
            close();
            onChanged();
          }}
        />
      )}
      {open === 'versions' && <VersionsDialog item={item} onClose={close} onRestored={onChanged} />}
      {open === 'delete' && <DeleteDialog item={item} onClose={close} />}
    </header>
  );
}
