// Views of the map that were given a name: going to one, adding the present one, dropping one.

import { useText } from '../../lib/i18n/text.ts';
import type { Bookmark } from '../../lib/map-config.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';

export function BookmarkMenu({
  bookmarks,
  onGo,
  onAdd,
  onDrop,
}: {
  readonly bookmarks: readonly Bookmark[];
  readonly onGo: (to: Bookmark) => void;
  readonly onAdd: (name: string) => void;
  readonly onDrop: (name: string) => void;
}) {
  const t = useText();
  return (
    <Menu label={t('bookmark.title')} icon="bookmark" iconOnly look="quiet">
      {(close) => (
        <>
          {bookmarks.map((one) => (
            <div className="row tight bookmark-row" key={one.name}>
              <MenuItem className="item grow" icon="bookmark" onClick={() => onGo(one)}>
                {one.name}
              </MenuItem>
              <IconButton
                icon="close"
                small
                name={t('action.remove-named', { name: one.name })}
                onClick={() => onDrop(one.name)}
              />
            </div>
          ))}
          <form
            className="bookmark-form"
            onSubmit={(event) => {
              event.preventDefault();
              const name = String(new FormData(event.currentTarget).get('name')).trim();
              if (name === '') return;
              onAdd(name);
              close();
            }}
          >
            <input
              className="input small"
              name="name"
              maxLength={80}
              aria-label={t('bookmark.name')}
              placeholder={t('bookmark.name')}
            />
            <Button small type="submit">
              {t('action.add')}
            </Button>
          </form>
        </>
      )}
    </Menu>
  );
}
