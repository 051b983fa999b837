// Choosing what the map is drawn on.

import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { PACKAGED } from '../../map/basemap.ts';
import { useBasemaps } from '../../map/use-basemap.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Menu } from '../../ui/Menu.tsx';

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
      {(close) => [
        ...entries.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            className="item"
            aria-pressed={id === (chosen ?? usual)}
            onClick={() => {
              onChoose(id);
              close();
            }}
          >
            {id === (chosen ?? usual) && <Icon name="check" />}
            {title}
          </button>
        )),
        isAdmin && (
          <Link key="more" className="item" to="/admin?tab=basemaps">
            {t('basemaps.more')}
          </Link>
        ),
      ]}
    </Menu>
  );
}
