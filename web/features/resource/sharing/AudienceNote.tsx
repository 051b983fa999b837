// On the page of an item, for who shares it: what those that it is shared with do not see of it, and a button that gives them just that.

import { useState } from 'react';
import type { Resource } from '../../../api/types.ts';
import { useLoaded } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { failureText } from '../../../lib/server-message.ts';
import { Button } from '../../../ui/Button.tsx';
import { complain, say } from '../../../ui/toast.tsx';
import { LackingList, shareToo } from './LackingItems.tsx';
import { type Audience, shareWithAudience, showsItems } from './use-audience.ts';

export function AudienceNote({ item }: { readonly item: Resource }) {
  const t = useText();
  const [isBusy, setBusy] = useState(false);
  const isAsked = showsItems(item) && item.perms.includes('change_resourcebase_permissions');
  const [loaded, again] = useLoaded(isAsked ? `/api/v2/resources/${item.pk}/audience/` : undefined);
  if (loaded.kind !== 'loaded') return null;
  const audience = loaded.value;
  const of = item.resource_type === 'map' ? 'map' : 'items';
  const mine = audience.lacking.filter((one) => one.may_share).length;
  const share = async (): Promise<void> => {
    setBusy(true);
    const failure = await shareWithAudience(item.pk);
    setBusy(false);
    if (failure !== undefined) return complain(failureText(t, failure));
    say(t('sharing.saved'));
    again();
  };
  return (
    <LackingList audience={audience} of={of}>
      <p className="small-text">{whoSeesIt(t, audience)}</p>
      {mine > 0 && (
        <div>
          <Button small icon="eye" disabled={isBusy} onClick={() => void share()}>
            {t.count(shareToo(audience, of), mine)}
          </Button>
        </div>
      )}
    </LackingList>
  );
}

function whoSeesIt(t: ReturnType<typeof useText>, { public: isPublic, members, people, groups }: Audience): string {
  const parts = isPublic
    ? [t('sharing.choice-public')]
    : members
      ? [t('sharing.members')]
      : [
          ...(people > 0 ? [t.count('sharing.people', people)] : []),
          ...(groups > 0 ? [t.count('sharing.groups', groups)] : []),
        ];
  return `${t('sharing.with')}: ${parts.join(', ')}`;
}
