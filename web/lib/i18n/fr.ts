import { fr as account } from './account/fr.ts';
import { fr as admin } from './admin/fr.ts';
import { fr as analysis } from './analysis/fr.ts';
import { fr as app } from './app/fr.ts';
import { fr as basemaps } from './basemaps/fr.ts';
import { fr as catalogue } from './catalogue/fr.ts';
import { fr as cleaning } from './cleaning/fr.ts';
import { fr as common } from './common/fr.ts';
import { fr as console } from './console/fr.ts';
import { fr as dashboard } from './dashboard/fr.ts';
import { fr as docs } from './docs/fr.ts';
import { fr as editor } from './editor/fr.ts';
import type { Messages } from './en.ts';
import { fr as groups } from './groups/fr.ts';
import { fr as presentation } from './presentation/fr.ts';
import { fr as resource } from './resource/fr.ts';
import { fr as services } from './services/fr.ts';
import { fr as sharing } from './sharing/fr.ts';
import { fr as social } from './social/fr.ts';
import { fr as sources } from './sources/fr.ts';
import { fr as story } from './story/fr.ts';
import { fr as upload } from './upload/fr.ts';
import { fr as viewer } from './viewer/fr.ts';

export const fr: Messages = {
  ...account,
  ...admin,
  ...analysis,
  ...app,
  ...basemaps,
  ...catalogue,
  ...cleaning,
  ...common,
  ...console,
  ...dashboard,
  ...docs,
  ...editor,
  ...groups,
  ...presentation,
  ...resource,
  ...services,
  ...sharing,
  ...social,
  ...sources,
  ...story,
  ...upload,
  ...viewer,
};
