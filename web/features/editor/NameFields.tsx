// What an item is called, what it is about in a line, and whom a new one is shared with.

import { useText } from '../../lib/i18n/text.ts';
import { InputField } from '../../ui/Field.tsx';
import { LackingItems } from '../resource/sharing/LackingItems.tsx';
import { type NewSharing, SharingChoice } from '../resource/sharing/SharingChoice.tsx';
import type { AudienceShare } from '../resource/sharing/use-audience.ts';
import type { ItemName } from './use-written-item.ts';

export function NameFields({
  name,
  sharing,
  share,
  onChange,
}: {
  readonly name: ItemName;
  readonly sharing: NewSharing | undefined;
  readonly share: AudienceShare | undefined;
  readonly onChange: (name: ItemName) => void;
}) {
  const t = useText();
  return (
    <>
      <InputField
        label={t('meta.title')}
        required
        maxLength={255}
        value={name.title}
        onChange={(event) => onChange({ ...name, title: event.target.value })}
      />
      <InputField
        label={t('meta.abstract')}
        maxLength={2000}
        value={name.abstract}
        onChange={(event) => onChange({ ...name, abstract: event.target.value })}
      />
      {sharing !== undefined && <SharingChoice sharing={sharing} name="item-sharing" />}
      {share !== undefined && <LackingItems share={share} of="items" />}
    </>
  );
}
