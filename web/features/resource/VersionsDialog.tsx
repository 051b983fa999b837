// Versions of an item: who saved it when, looking at one of them, and restoring it.

import { useMemo, useState } from 'react';
import type { Answer } from '../../api/answer.ts';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Resource } from '../../api/types.ts';
import { forgetLoaded, useFresh } from '../../api/use-loaded.ts';
import { appContent } from '../../lib/app-content.ts';
import { isObject } from '../../lib/guard.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePending } from '../../lib/use-pending.ts';
import { changedMembers } from '../../lib/version-body.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { DashboardView } from '../dashboard/DashboardView.tsx';
import { SectionView } from '../story/StoryView.tsx';

type Version = Answer<'GET', `/api/v2/resources/${number}/versions/`>['versions'][number];

export function VersionsDialog({
  item,
  onClose,
  onRestored,
}: {
  readonly item: Resource;
  readonly onClose: () => void;
  readonly onRestored: () => void;
}) {
  const t = useText();
  const id = Number(item.pk);
  const [loaded, again] = useFresh(`/api/v2/resources/${id}/versions/?limit=200`);
  const [open, setOpen] = useState<number>();
  const [failed, setFailed] = useState<{ readonly id: number; readonly failure: Failure }>();
  const pending = usePending<number>();
  const restore = async (version: Version): Promise<void> => {
    const reply = await pending.during(
      version.id,
      send('POST', `/api/v2/resources/${id}/versions/${version.id}/restore/`),
    );
    setFailed(reply.ok ? undefined : { id: version.id, failure: reply.error });
    if (!reply.ok) return;
    forgetLoaded();
    say(t('versions.restored', { when: t.time(version.made) }));
    again();
    onRestored();
  };
  const partOf = (version: Version): string =>
    version.part === 'style' ? t('versions.style', { name: version.style ?? '' }) : t(`versions.part-${version.part}`);
  return (
    <Dialog title={t('versions.of', { title: item.title })} wide onClose={onClose}>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ versions }) =>
          versions.length === 0 ? (
            <p className="soft">{t('versions.none')}</p>
          ) : (
            <ol className="version-list">
              {versions.map((version) => {
                const name = `${partOf(version)}, ${t.time(version.made)}`;
                const current = versions.find((one) => one.current && isSame(one, version));
                return (
                  <li key={version.id} className="stack tight">
                    <div className="row apart">
                      <div className="grow">
                        <strong>{partOf(version)}</strong>{' '}
                        {version.current && <span className="badge">{t('versions.current')}</span>}
                        <p className="soft small-text">
                          {version.by === null
                            ? t('versions.before', { when: t.time(version.made) })
                            : t('versions.by', { who: version.by, when: t.time(version.made) })}
                        </p>
                      </div>
                      <div className="row tight">
                        <Button
                          small
                          aria-expanded={open === version.id}
                          aria-label={t('versions.look-named', { name })}
                          onClick={() => setOpen(open === version.id ? undefined : version.id)}
                        >
                          {t('versions.look')}
                        </Button>
                        {!version.current && (
                          <Button
                            small
                            icon="undo"
                            aria-label={t('versions.restore-named', { name })}
                            disabled={pending.has(version.id)}
                            onClick={() => void restore(version)}
                          >
                            {t('versions.restore')}
                          </Button>
                        )}
                      </div>
                    </div>
                    {failed?.id === version.id && <Wrong failure={failed.failure} />}
                    {open === version.id && <Content item={item} version={version.id} current={current?.id} />}
                  </li>
                );
              })}
            </ol>
          )
        }
      </WhenLoaded>
    </Dialog>
  );
}

const isSame = (one: Version, other: Version): boolean => one.part === other.part && one.style === other.style;

/** What is in it where it differs from the current one; all of it where there is nothing to compare. */
function Content({
  item,
  version,
  current,
}: {
  readonly item: Resource;
  readonly version: number;
  readonly current: number | undefined;
}) {
  const t = useText();
  const [then, thenAgain] = useFresh(`/api/v2/resources/${item.pk}/versions/${version}/`);
  const [now, nowAgain] = useFresh(`/api/v2/resources/${item.pk}/versions/${current ?? version}/`);
  return (
    <WhenLoaded loaded={then} onRetry={thenAgain}>
      {(past) => (
        <WhenLoaded loaded={now} onRetry={nowAgain}>
          {(present) => {
            const written = writtenIn(past.body);
            if (written !== undefined) return <PastContent title={item.title} data={written} />;
            const changes = changedMembers(past.body, version === current ? undefined : present.body);
            if (changes.length === 0) return <p className="soft">{t('versions.same')}</p>;
            return (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
              <section className="scroll-x" tabIndex={0} aria-label={t('versions.look')}>
                <table className="data-table version-table">
                  <thead>
                    <tr>
                      <th scope="col">{t('edit.field')}</th>
                      <th scope="col">{t('versions.then')}</th>
                      {version !== current && <th scope="col">{t('versions.now')}</th>}
                    </tr>
                  </thead>
                  <tbody>
                    {changes.map((change) => (
                      <tr key={change.name}>
                        <th scope="row">{t.find(`meta.${change.name}`) ?? change.name}</th>
                        <td>
                          <pre>{change.past}</pre>
                        </td>
                        {version !== current && (
                          <td>
                            <pre>{change.present}</pre>
                          </td>
                        )}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
            );
          }}
        </WhenLoaded>
      )}
    </WhenLoaded>
  );
}

/** What is written as a whole, and read as one: a story, a dashboard. */
function writtenIn(body: unknown): unknown {
  if (!isObject(body)) return undefined;
  const { kind } = appContent(body['data']);
  return kind === 'story' || kind === 'dashboard' ? body['data'] : undefined;
}

/** As its readers saw it. Names of sections are those of the page below, which has the story of today. */
function PastContent({ title, data }: { readonly title: string; readonly data: unknown }) {
  const t = useText();
  const content = useMemo(() => appContent(data), [data]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="version-shown" tabIndex={0} aria-label={t('versions.look')}>
      {content.kind === 'dashboard' && <DashboardView dashboard={content.dashboard} />}
      {content.kind === 'story' &&
        content.story.sections.map((section) => (
          <SectionView key={section.id} section={{ ...section, id: `version-${section.id}` }} storyTitle={title} />
        ))}
    </section>
  );
}
