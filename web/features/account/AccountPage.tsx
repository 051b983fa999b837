// One's own account: profile, password, what one owns, what one is importing.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Page, Resource, Upload, User } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, WhenLoaded, Wrong } from '../../ui/States.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { say } from '../../ui/toast.tsx';
import { RowList } from '../catalogue/ResourceCard.tsx';
import '../catalogue/catalogue.css';
import './account.css';

type TabName = 'resources' | 'uploads' | 'profile';

export function AccountPage() {
  const t = useText();
  const { user } = useSession();
  const [tab, setTab] = useState<TabName>('resources');
  usePageTitle(t('account.mine'));
  if (user === null || user === undefined) return null;
  return (
    <div className="stack">
      <h1>{`${user.first_name} ${user.last_name}`.trim() || user.username}</h1>
      <Tabs
        label={t('account.mine')}
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { name: 'resources', label: t('account.resources') },
          { name: 'uploads', label: t('account.uploads') },
          { name: 'profile', label: t('account.profile') },
        ]}
      >
        {tab === 'resources' && <OwnResources username={user.username} />}
        {tab === 'uploads' && <OwnUploads />}
        {tab === 'profile' && <Profile id={user.pk} />}
      </Tabs>
    </div>
  );
}

function OwnResources({ username }: { readonly username: string }) {
  const t = useText();
  const [loaded, again] = useLoaded<Page<'resources', Resource>>(
    `/api/v2/resources/?filter{owner.username}=${encodeURIComponent(username)}&page_size=100&sort[]=-last_updated`,
  );
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ resources, total }) =>
        total === 0 ? (
          <Empty title={t('account.no-resources')} icon="layer">
            <Link className="button primary" to="/add">
              {t('nav.add')}
            </Link>
          </Empty>
        ) : (
          <div className="stack">
            <p className="soft">{t.count('catalogue.found', total)}</p>
            <RowList items={resources} />
            {total > resources.length && (
              <Link to={`/?owner=${encodeURIComponent(username)}`}>{t('account.all-resources')}</Link>
            )}
          </div>
        )
      }
    </WhenLoaded>
  );
}

function OwnUploads() {
  const t = useText();
  const [loaded, again] = useLoaded<Page<'uploads', Upload>>('/api/v2/uploads/?page_size=100&sort[]=-date');
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ uploads }) =>
        uploads.length === 0 ? (
          <Empty title={t('account.no-uploads')} icon="upload" />
        ) : (
          <UploadTable uploads={uploads} />
        )
      }
    </WhenLoaded>
  );
}

export function UploadTable({ uploads }: { readonly uploads: readonly Upload[] }) {
  const t = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x" tabIndex={0} aria-label={t('account.uploads')}>
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">{t('uploads.name')}</th>
            <th scope="col">{t('uploads.state')}</th>
            <th scope="col" className="right">
              {t('uploads.progress')}
            </th>
            <th scope="col">{t('uploads.date')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('action.open')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {uploads.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.name}</th>
              <td>
                <span className={`badge ${one.state === 'PROCESSED' ? 'good' : one.state === 'INVALID' ? 'bad' : ''}`}>
                  {t.entry('upload-state', one.state)}
                </span>
              </td>
              <td className="right">{t.number(one.progress)} %</td>
              <td>{t.time(one.date)}</td>
              <td>
                {one.detail_url === null ? (
                  <Link to={`/add/${one.id}`}>{t('action.open')}</Link>
                ) : (
                  <Link to={decodeURI(new URL(one.detail_url).pathname)}>{t('action.open')}</Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Profile({ id }: { readonly id: number }) {
  const t = useText();
  const { refresh } = useSession();
  const [loaded, again] = useLoaded<{ readonly user: User }>(`/api/v2/users/${id}/?include[]=email`);
  const [failure, setFailure] = useState<Failure>();
  const [passwordFailure, setPasswordFailure] = useState<Failure>();
  const save = async (form: FormData): Promise<void> => {
    const body = Object.fromEntries(
      ['first_name', 'last_name', 'email'].map((name) => [name, String(form.get(name)).trim()]),
    );
    const reply = await send('PATCH', `/api/v2/users/${id}/`, { body });
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    say(t('saved'));
    again();
    await refresh();
  };
  const changePassword = async (form: HTMLFormElement): Promise<void> => {
    const given = new FormData(form);
    const body = { old_password: String(given.get('old_password')), password: String(given.get('password')) };
    const reply = await send('PUT', `/api/v2/users/${id}/password/`, { body });
    setPasswordFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    form.reset();
    say(t('account.password-changed'));
    await refresh();
  };
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ user }) => (
        <div className="account-forms">
          <form
            className="panel stack"
            onSubmit={(event) => {
              event.preventDefault();
              void save(new FormData(event.currentTarget));
            }}
          >
            <h2>{t('account.profile')}</h2>
            <Wrong failure={failure} />
            <Field label={t('account.first-name')}>
              {(wired) => (
                <input
                  {...wired}
                  className="input"
                  name="first_name"
                  maxLength={30}
                  autoComplete="given-name"
                  defaultValue={user.first_name}
                />
              )}
            </Field>
            <Field label={t('account.last-name')}>
              {(wired) => (
                <input
                  {...wired}
                  className="input"
                  name="last_name"
                  maxLength={150}
                  autoComplete="family-name"
                  defaultValue={user.last_name}
                />
              )}
            </Field>
            <Field label={t('account.email')}>
              {(wired) => (
                <input
                  {...wired}
                  className="input"
                  type="email"
                  name="email"
                  autoComplete="email"
                  defaultValue={user.email ?? ''}
                />
              )}
            </Field>
            <div>
              <Button look="primary" type="submit">
                {t('action.save')}
              </Button>
            </div>
          </form>
          <form
            className="panel stack"
            onSubmit={(event) => {
              event.preventDefault();
              void changePassword(event.currentTarget);
            }}
          >
            <h2>{t('account.change-password')}</h2>
            <Wrong failure={passwordFailure} />
            <Field label={t('account.old-password')}>
              {(wired) => (
                <input
                  {...wired}
                  className="input"
                  type="password"
                  name="old_password"
                  required
                  autoComplete="current-password"
                />
              )}
            </Field>
            <Field label={t('account.new-password')} hint={t('account.password-hint')}>
              {(wired) => (
                <input
                  {...wired}
                  className="input"
                  type="password"
                  name="password"
                  required
                  minLength={8}
                  autoComplete="new-password"
                />
              )}
            </Field>
            <div>
              <Button type="submit">{t('account.change-password')}</Button>
            </div>
          </form>
        </div>
      )}
    </WhenLoaded>
  );
}
