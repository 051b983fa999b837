// Choosing what the map is drawn on.

import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { PACKAGED } from '../../map/basemap.ts';
import { useBasemaps } from '../../map/use-basemap.ts';
import { Link } from '../../ui/Link.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';

export function BasemapMenu({
  chosen,
  onChoose,
}: {
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}) {
  const t = useText();
  const isAdmin = useSession().user?.is_superuser === true;
  const { usual, named } = useBasemaps();
  const entries = [
    ...PACKAGED.map((id) => ({ id, title: t(`basemap.${id}`) })),
    ...named.map(({ id, title }) => ({ id, title })),
  ];
  return (
    <Menu label={t('basemap.choose')} icon="map" iconOnly look="quiet">
      {entries.map(({ id, title }) => {
        const isChosen = id === (chosen ?? usual);
        return (
          <MenuItem key={id} icon={isChosen ? 'check' : undefined} aria-pressed={isChosen} onClick={() => onChoose(id)}>
            {title}
          </MenuItem>
        );
      })}
      {isAdmin && (
        <Link className="item" to="/admin?tab=basemaps">
          {t('basemaps.more')}
        </Link>
      )}
    </Menu>
  );
}
