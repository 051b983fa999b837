// Imports of everybody: which run, which ended, and how.

import type { Upload } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty, WhenLoaded } from '../../ui/States.tsx';
import { UploadTable } from '../account/UploadTable.tsx';

export function Jobs() {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/uploads/?page_size=100&sort[]=-date');
  return (
    <div className="stack">
      <div className="row apart">
        <p className="soft">{t('admin.jobs-about')}</p>
        <Button small onClick={again}>
          {t('admin.refresh')}
        </Button>
      </div>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ uploads }) =>
          uploads.length === 0 ? (
            <Empty title={t('account.no-uploads')} icon="upload" />
          ) : (
            <OwnedUploads uploads={uploads} />
          )
        }
      </WhenLoaded>
    </div>
  );
}

function OwnedUploads({ uploads }: { readonly uploads: readonly Upload[] }) {
  const ids = [...new Set(uploads.flatMap(({ user }) => user ?? []))].sort((a, b) => a - b);
  const named = ids.map((id) => `filter{pk.in}=${id}`).join('&');
  const [people] = useLoaded(ids.length === 0 ? undefined : `/api/v2/users/?page_size=100&${named}`);
  const owners = new Map(people.kind === 'loaded' ? people.value.users.map(({ pk, username }) => [pk, username]) : []);
  return <UploadTable uploads={uploads} owners={owners} />;
}
