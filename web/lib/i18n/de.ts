import { de as account } from './account/de.ts';
import { de as admin } from './admin/de.ts';
import { de as analysis } from './analysis/de.ts';
import { de as app } from './app/de.ts';
import { de as basemaps } from './basemaps/de.ts';
import { de as catalogue } from './catalogue/de.ts';
import { de as cleaning } from './cleaning/de.ts';
import { de as common } from './common/de.ts';
import { de as console } from './console/de.ts';
import { de as dashboard } from './dashboard/de.ts';
import { de as docs } from './docs/de.ts';
import { de as editor } from './editor/de.ts';
import type { Messages } from './en.ts';
import { de as groups } from './groups/de.ts';
import { de as presentation } from './presentation/de.ts';
import { de as resource } from './resource/de.ts';
import { de as services } from './services/de.ts';
import { de as sharing } from './sharing/de.ts';
import { de as social } from './social/de.ts';
import { de as sources } from './sources/de.ts';
import { de as story } from './story/de.ts';
import { de as upload } from './upload/de.ts';
import { de as viewer } from './viewer/de.ts';

export const de: Messages = {
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
