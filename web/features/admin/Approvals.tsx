// What waits to be approved or published.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Resource } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { pathOfResource } from '../../lib/route.ts';
import { usePending } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, WhenLoaded, Wrong } from '../../ui/States.tsx';
import { ownerName, TypeMark } from '../catalogue/ResourceCard.tsx';

export function Approvals() {
  const t = useText();
  return (
    <div className="stack loose">
      <Waiting flag="is_approved" title={t('admin.to-approve')} action={t('admin.approve')} />
      <Waiting flag="is_published" title={t('admin.to-publish')} action={t('admin.publish')} />
    </div>
  );
}

function Waiting({
  flag,
  title,
  action,
}: {
  readonly flag: 'is_approved' | 'is_published';
  readonly title: string;
  readonly action: string;
}) {
  const t = useText();
  const [loaded, again] = useLoaded(
    `/api/v2/resources/?filter{${flag}}=false&page_size=100&sort[]=-created&include[]=sharing`,
  );
  const [failure, setFailure] = useState<Failure>();
  const pending = usePending<string>();
  const allow = async ({ pk }: Resource): Promise<void> => {
    const reply = await pending.during(pk, send('PATCH', `/api/v2/resources/${pk}/`, { body: { [flag]: true } }));
    setFailure(reply.ok ? undefined : reply.error);
    again();
  };
  return (
    <section className="stack tight" aria-label={title}>
      <h2>{title}</h2>
      <Wrong failure={failure} />
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ resources }) =>
          resources.length === 0 ? (
            <Empty title={t('admin.nothing-waits')} icon="check" />
          ) : (
            <ul className="group-list">
              {resources.map((item) => (
                <li key={item.pk} className="panel row apart">
                  <div className="grow">
                    <TypeMark type={item.resource_type} subtype={item.subtype} />
                    <p>
                      <Link to={pathOfResource(item)}>{item.title}</Link>
                    </p>
                    <p className="soft small-text">
                      {ownerName(item.owner)} · {t.date(item.created)}
                    </p>
                  </div>
                  <Button small icon="check" disabled={pending.has(item.pk)} onClick={() => void allow(item)}>
                    {action}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </section>
  );
}
