// What classes and categories were made of, where that has to be said: they are being counted, could not be, come from a sample, or from the features that pass a filter.

import type { ColumnStatistics } from '../../../api/statistics.ts';
import type { Loaded } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { failureText } from '../../../lib/server-message.ts';
import { Waiting } from '../../../ui/States.tsx';

export function StatisticsNote({
  loaded,
  isFiltered,
}: {
  readonly loaded: Loaded<ColumnStatistics>;
  /** Of what passes a filter alone. */
  readonly isFiltered: boolean;
}) {
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
      const notes = [
        ...(isFiltered ? [t('style.filtered')] : []),
        ...(total === null ? [] : [t('style.sample', { n: t.number(rows), total: t.number(total) })]),
      ];
      return notes.length === 0 ? null : <p className="soft small-text">{notes.join(' ')}</p>;
    }
  }
}
