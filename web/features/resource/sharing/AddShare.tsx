// Choosing whom an item is shared with: a group or a person, and what they may do.

import { useLoaded } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { LEVELS, type Level, MEMBERS, type Share } from '../../../lib/levels.ts';
import { useSession } from '../../../lib/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';

/** Whom it would be shared with; an empty name: nobody yet. */
export type ShareDraft = { readonly kind: Share['kind']; readonly name: string; readonly level: Level };

export const NO_SHARE: ShareDraft = { kind: 'groups', name: '', level: 'download' };

export function AddShare({
  draft,
  onChange,
  onAdd,
}: {
  readonly draft: ShareDraft;
  readonly onChange: (draft: ShareDraft) => void;
  readonly onAdd: () => void;
}) {
  const t = useText();
  const { user } = useSession();
  const [groups] = useLoaded(
    user === null || user === undefined ? undefined : '/api/v2/groups/?page_size=500&filter{-slug}=registered-members',
  );
  const { kind, name, level } = draft;
  const names = groups.kind === 'loaded' ? groups.value.group_profiles : [];
  return (
    <fieldset className="add-share">
      <legend>{t('sharing.add')}</legend>
      <Field label={t('sharing.kind')}>
        {(wired) => (
          <select
            {...wired}
            className="input"
            value={kind}
            onChange={(event) =>
              onChange({ ...draft, kind: event.target.value === 'users' ? 'users' : 'groups', name: '' })
            }
          >
            <option value="groups">{t('sharing.group')}</option>
            <option value="users">{t('sharing.person')}</option>
          </select>
        )}
      </Field>
      <Field label={kind === 'groups' ? t('sharing.group') : t('account.username')}>
        {(wired) =>
          kind === 'groups' ? (
            <select
              {...wired}
              className="input"
              value={name}
              onChange={(event) => onChange({ ...draft, name: event.target.value })}
            >
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
              onChange={(event) => onChange({ ...draft, name: event.target.value })}
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
            onChange={(event) =>
              onChange({ ...draft, level: LEVELS.find((one) => one === event.target.value) ?? 'view' })
            }
          >
            {LEVELS.map((one) => (
              <option key={one} value={one}>
                {t(`level.${one}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button icon="plus" disabled={name.trim() === ''} onClick={onAdd}>
        {t('action.add')}
      </Button>
    </fieldset>
  );
}
