// Who may do what with an item: the public, groups and people, each with a level. And its link.

import { useEffect, useState } from 'react';
import { get, send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Group, Page, Resource } from '../../api/types.ts';
import { forgetLoaded, useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import {
  LEVELS,
  type Level,
  levelOf,
  MEMBERS,
  namesOf,
  type Permissions,
  permissionsOf,
  publicNames,
  type Share,
  sharesOf,
} from '../../lib/levels.ts';
import { pathOfResource } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Waiting, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

type State = {
  readonly shares: readonly Share[];
  readonly forPublic: readonly string[];
  readonly owner: Permissions['users'];
};

export function SharingDialog({ item, onClose }: { readonly item: Resource; readonly onClose: () => void }) {
  const t = useText();
  const maySet = item.perms.includes('change_resourcebase_permissions');
  const isLayer = item.resource_type === 'layer';
  const [state, setState] = useState<State>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (!maySet) return;
    void get<Permissions>(`/api/v2/resources/${item.pk}/get_perms/`).then((reply) => {
      if (!reply.ok) return setFailure(reply.error);
      const owner = item.owner?.username;
      const own = owner === undefined ? undefined : reply.value.users[owner];
      setState({
        shares: sharesOf(reply.value, owner),
        forPublic: publicNames(reply.value),
        owner: owner === undefined || own === undefined ? {} : { [owner]: own },
      });
    });
  }, [item, maySet]);
  const save = async (): Promise<void> => {
    if (state === undefined) return;
    setBusy(true);
    const reply = await send('PUT', `/api/v2/resources/${item.pk}/set_perms/`, {
      body: permissionsOf(state.shares, state.forPublic, state.owner),
    });
    setBusy(false);
    if (!reply.ok) return setFailure(reply.error);
    forgetLoaded();
    say(t('sharing.saved'));
    onClose();
  };
  const put = (share: Share): void =>
    setState(
      (now) =>
        now && {
          ...now,
          shares: [...now.shares.filter((one) => one.name !== share.name || one.kind !== share.kind), share].sort(
            (a, b) => a.name.localeCompare(b.name),
          ),
        },
    );
  const drop = (share: Share): void =>
    setState((now) => now && { ...now, shares: now.shares.filter((one) => one !== share) });
  return (
    <Dialog
      title={t('sharing.title', { title: item.title })}
      onClose={onClose}
      footer={
        maySet ? (
          <>
            <Button onClick={onClose}>{t('action.cancel')}</Button>
            <Button look="primary" disabled={state === undefined || isBusy} onClick={() => void save()}>
              {isBusy ? t('action.saving') : t('action.save')}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{t('action.done')}</Button>
        )
      }
    >
      <div className="stack">
        <CopyField label={t('sharing.link')} value={`${window.location.origin}${pathOfResource(item)}`} />
        <Wrong failure={failure} />
        {maySet && state === undefined && failure === undefined && <Waiting />}
        {maySet && state !== undefined && (
          <>
            <PublicSwitch forPublic={state.forPublic} onChange={(forPublic) => setState({ ...state, forPublic })} />
            <h3>{t('sharing.with')}</h3>
            {state.shares.length === 0 ? (
              <p className="soft">{t('sharing.nobody')}</p>
            ) : (
              <ul className="shares">
                {state.shares.map((share) => (
                  <li key={`${share.kind} ${share.name}`}>
                    <Icon name={share.kind === 'groups' ? 'group' : 'user'} />
                    <span className="grow">{share.name === MEMBERS ? t('sharing.members') : share.name}</span>
                    <LevelSelect
                      label={t('sharing.level-of', { name: share.name })}
                      level={levelOf(share.names, isLayer)}
                      onChange={(level) => put({ ...share, names: namesOf(level, isLayer) })}
                    />
                    <IconButton
                      icon="close"
                      small
                      name={t('action.remove-named', { name: share.name })}
                      onClick={() => drop(share)}
                    />
                  </li>
                ))}
              </ul>
            )}
            <AddShare isLayer={isLayer} onAdd={put} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function PublicSwitch({
  forPublic,
  onChange,
}: {
  readonly forPublic: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
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

function LevelSelect({
  label,
  level,
  onChange,
}: {
  readonly label: string;
  readonly level: Level | 'custom' | undefined;
  readonly onChange: (level: Level) => void;
}) {
  const t = useText();
  return (
    <select
      className="input small share-level"
      aria-label={label}
      value={level ?? 'view'}
      onChange={(event) => {
        const chosen = LEVELS.find((one) => one === event.target.value);
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {LEVELS.map((one) => (
        <option key={one} value={one}>
          {t(`level.${one}`)}
        </option>
      ))}
      {level === 'custom' && <option value="custom">{t('level.custom')}</option>}
    </select>
  );
}

function AddShare({ isLayer, onAdd }: { readonly isLayer: boolean; readonly onAdd: (share: Share) => void }) {
  const t = useText();
  const { user } = useSession();
  const [groups] = useLoaded<Page<'group_profiles', Group>>(
    user === null || user === undefined ? undefined : '/api/v2/groups/?page_size=500',
  );
  const [kind, setKind] = useState<Share['kind']>('groups');
  const [name, setName] = useState('');
  const [level, setLevel] = useState<Level>('download');
  const names = groups.kind === 'loaded' ? groups.value.group_profiles : [];
  const add = (): void => {
    if (name.trim() === '') return;
    onAdd({ kind, name: name.trim(), names: namesOf(level, isLayer) });
    setName('');
  };
  return (
    <fieldset className="add-share">
      <legend>{t('sharing.add')}</legend>
      <Field label={t('sharing.kind')}>
        {(wired) => (
          <select
            {...wired}
            className="input"
            value={kind}
            onChange={(event) => {
              setKind(event.target.value === 'users' ? 'users' : 'groups');
              setName('');
            }}
          >
            <option value="groups">{t('sharing.group')}</option>
            <option value="users">{t('sharing.person')}</option>
          </select>
        )}
      </Field>
      <Field label={kind === 'groups' ? t('sharing.group') : t('account.username')}>
        {(wired) =>
          kind === 'groups' ? (
            <select {...wired} className="input" value={name} onChange={(event) => setName(event.target.value)}>
              <option value="">{t('sharing.choose')}</option>
              <option value={MEMBERS}>{t('sharing.members')}</option>
              {names.map((group) => (
                <option key={group.pk} value={group.slug}>
                  {group.title}
                </option>
              ))}
            </select>
          ) : (
            <input
              {...wired}
              className="input"
              value={name}
              maxLength={150}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )
        }
      </Field>
      <Field label={t('sharing.level')}>
        {(wired) => (
          <select
            {...wired}
            className="input"
            value={level}
            onChange={(event) => setLevel(LEVELS.find((one) => one === event.target.value) ?? 'view')}
          >
            {LEVELS.map((one) => (
              <option key={one} value={one}>
                {t(`level.${one}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button icon="plus" disabled={name.trim() === ''} onClick={add}>
        {t('action.add')}
      </Button>
    </fieldset>
  );
}
