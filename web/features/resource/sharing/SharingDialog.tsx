// Who may do what with an item: the public, groups and people, each with a level. And its link.

import { useEffect, useState } from 'react';
import { get, send } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Permission, Permissions, Resource } from '../../../api/types.ts';
import { forgetLoaded } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { levelOf, MEMBERS, namesOf, permissionsOf, publicNames, type Share, sharesOf } from '../../../lib/levels.ts';
import { pathOfResource } from '../../../lib/route.ts';
import { useUnsaved } from '../../../lib/unsaved.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { CopyField } from '../../../ui/CopyField.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Waiting, Wrong } from '../../../ui/States.tsx';
import { say } from '../../../ui/toast.tsx';
import { AddShare, NO_SHARE } from './AddShare.tsx';
import { LackingItems } from './LackingItems.tsx';
import { LevelSelect } from './LevelSelect.tsx';
import { PublicSwitch } from './PublicSwitch.tsx';
import { ShareLinks } from './ShareLinks.tsx';
import { showsItems, useAudience } from './use-audience.ts';

type State = {
  readonly shares: readonly Share[];
  readonly forPublic: readonly Permission[];
  readonly owner: Permissions['users'];
};

export function SharingDialog({
  item,
  onClose,
  onSaved,
}: {
  readonly item: Resource;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const t = useText();
  const maySet = item.perms.includes('change_resourcebase_permissions');
  const isLayer = item.resource_type === 'layer';
  const [state, setState] = useState<State>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [draft, setDraft] = useState(NO_SHARE);
  const [before, setBefore] = useState<State>();
  const { pk } = item;
  const owner = item.owner?.username;
  const isPublic = state?.forPublic.includes('view_resourcebase') === true;
  const withDraft = (shares: readonly Share[]): readonly Share[] => {
    const { kind, level } = draft;
    const name = draft.name.trim();
    return name === '' ? shares : withShare(shares, { kind, name, names: namesOf(level, isLayer) });
  };
  // Whoever was chosen and not yet added is meant as well.
  const chosen = state && permissionsOf(withDraft(state.shares), state.forPublic, state.owner);
  // Names are not asked about while they are typed: the portal slows down whoever tries many.
  const asked = draft.kind === 'users' ? state && permissionsOf(state.shares, state.forPublic, state.owner) : chosen;
  const share = useAudience(asked && showsItems(item) ? { item: Number(pk), permissions: asked } : undefined);
  // Asked once: a newer record of the item must not bring back what is being changed here.
  useEffect(() => {
    if (!maySet) return;
    const gone = new AbortController();
    get(`/api/v2/resources/${pk}/get_perms/`, gone.signal).then(
      (reply) => {
        if (!reply.ok) return setFailure(reply.error);
        const own = owner === undefined ? undefined : reply.value.users[owner];
        const found = {
          shares: sharesOf(reply.value, owner),
          forPublic: publicNames(reply.value),
          owner: owner === undefined || own === undefined ? {} : { [owner]: own },
        };
        setState(found);
        setBefore(found);
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [pk, owner, maySet]);
  const unsaved = useUnsaved(state !== undefined && (textOf(state) !== textOf(before) || draft.name.trim() !== ''));
  const close = (): void => unsaved.leave(onClose);
  const save = async (): Promise<void> => {
    if (chosen === undefined) return;
    setBusy(true);
    const reply = await send('PUT', `/api/v2/resources/${item.pk}/set_perms/`, { body: chosen });
    const unshared = reply.ok ? await share.send(pk) : undefined;
    setBusy(false);
    forgetLoaded();
    if (!reply.ok) return setFailure(reply.error);
    onSaved();
    if (unshared !== undefined) return setFailure(unshared);
    say(t('sharing.saved'));
    onClose();
  };
  const put = (share: Share): void => setState((now) => now && { ...now, shares: withShare(now.shares, share) });
  const drop = (share: Share): void =>
    setState((now) => now && { ...now, shares: now.shares.filter((one) => one !== share) });
  return (
    <Dialog
      title={t('sharing.title', { title: item.title })}
      onClose={close}
      footer={
        maySet ? (
          <>
            <Button onClick={close}>{t('action.cancel')}</Button>
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
            {isPublic && <LackingItems share={share} of={item.resource_type === 'map' ? 'map' : 'items'} />}
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
            {!isPublic && <LackingItems share={share} of="items" />}
            <AddShare
              draft={draft}
              onChange={setDraft}
              onAdd={() => {
                setState({ ...state, shares: withDraft(state.shares) });
                setDraft(NO_SHARE);
              }}
            />
            <ShareLinks item={item} onChanged={onSaved} />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** To compare: the order in which permissions are named means nothing. */
function textOf(state: State | undefined): string | undefined {
  return JSON.stringify(state, (_, value: unknown) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? [...value].sort() : value,
  );
}

/** In place of what the same group or person had before. */
function withShare(shares: readonly Share[], share: Share): readonly Share[] {
  return [...shares.filter((one) => one.name !== share.name || one.kind !== share.kind), share].sort((a, b) =>
    a.name.localeCompare(b.name),
  );
}
