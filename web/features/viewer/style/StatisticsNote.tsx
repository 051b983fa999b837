// What classes and categories were made of, where that has to be said: they are being counted, could not be, or come from a sample.

import type { ColumnStatistics } from '../../../api/statistics.ts';
import type { Loaded } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { failureText } from '../../../lib/server-message.ts';
import { Waiting } from '../../../ui/States.tsx';

export function StatisticsNote({ loaded }: { readonly loaded: Loaded<ColumnStatistics> }) {
  const t = useText();
  switch (loaded.kind) {
    case 'loading':
      return <Waiting />;
    case 'failed':
      return (
        <p className="notice warm" role="alert">
          {failureText(t, loaded.failure)}
        </p>
      );
    case 'loaded': {
      const { rows, sampled_from: total } = loaded.value;
      if (total === null) return null;
      return <p className="soft small-text">{t('style.sample', { n: t.number(rows), total: t.number(total) })}</p>;
    }
  }
}
