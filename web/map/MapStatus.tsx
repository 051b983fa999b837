// What a map is doing: loading, or trying again what failed.

import { useText } from '../lib/i18n/text.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';

export function MapStatus({
  isLoading,
  hasTrouble,
  onRetry,
}: {
  readonly isLoading: boolean;
  readonly hasTrouble: boolean;
  readonly onRetry: () => void;
}) {
  const t = useText();
  return (
    <>
      {isLoading && <div className="map-loading" aria-hidden="true" />}
      <div className="map-trouble-place" role="status">
        {hasTrouble && (
          <div className="map-trouble">
            <Icon name="warning" />
            <span className="grow">{t('map.trouble')}</span>
            <Button small onClick={onRetry}>
              {t('action.retry')}
            </Button>
          </div>
        )}
      </div>
    </>
  );
}
