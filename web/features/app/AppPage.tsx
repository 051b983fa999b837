// The page behind the address that stories and apps share.

import { useLoaded } from '../../api/use-loaded.ts';
import { Failed, WhenLoaded } from '../../ui/States.tsx';
import { StoryPage } from '../story/StoryPage.tsx';
import { GeoappPage } from './GeoappPage.tsx';

export function AppPage({ id, embedded }: { readonly id: number; readonly embedded: boolean }) {
  const [loaded, again] = useLoaded(`/api/v2/resources/${id}/`);
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ resource }) =>
        resource.resource_type === 'geostory' ? (
          <StoryPage id={id} embedded={embedded} />
        ) : resource.resource_type === 'geoapp' ? (
          <GeoappPage id={id} embedded={embedded} />
        ) : (
          <Failed failure={{ kind: 'not-found' }} />
        )
      }
    </WhenLoaded>
  );
}
