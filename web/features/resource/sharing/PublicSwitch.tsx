// Whether everybody sees an item, and may download it.

import type { Permission } from '../../../api/types.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { namesOf } from '../../../lib/levels.ts';

export function PublicSwitch({
  forPublic,
  onChange,
}: {
  readonly forPublic: readonly string[];
  readonly onChange: (names: readonly Permission[]) => void;
}) {
  const t = useText();
  const isPublic = forPublic.includes('view_resourcebase');
  const mayDownload = forPublic.includes('download_resourcebase');
  return (
    <div className="panel stack tight">
      <label className="switch">
        <input
          type="checkbox"
          checked={isPublic}
          onChange={(event) => onChange(event.target.checked ? namesOf('download', false) : [])}
        />
        <span>
          <strong>{t('sharing.public')}</strong>
          <br />
          <span className="soft small-text">{isPublic ? t('sharing.public-on') : t('sharing.public-off')}</span>
        </span>
      </label>
      {isPublic && (
        <label className="check">
          <input
            type="checkbox"
            checked={mayDownload}
            onChange={(event) => onChange(namesOf(event.target.checked ? 'download' : 'view', false))}
          />
          {t('sharing.public-download')}
        </label>
      )}
    </div>
  );
}
