// Every text of the pages in English, by what it is about: each subject has a folder with its four languages.

import { en as account } from './account/en.ts';
import { en as admin } from './admin/en.ts';
import { en as analysis } from './analysis/en.ts';
import { en as app } from './app/en.ts';
import { en as basemaps } from './basemaps/en.ts';
import { en as catalogue } from './catalogue/en.ts';
import { en as cleaning } from './cleaning/en.ts';
import { en as common } from './common/en.ts';
import { en as console } from './console/en.ts';
import { en as dashboard } from './dashboard/en.ts';
import { en as docs } from './docs/en.ts';
import { en as editor } from './editor/en.ts';
import { en as groups } from './groups/en.ts';
import { en as presentation } from './presentation/en.ts';
import { en as resource } from './resource/en.ts';
import { en as services } from './services/en.ts';
import { en as sharing } from './sharing/en.ts';
import { en as social } from './social/en.ts';
import { en as sources } from './sources/en.ts';
import { en as story } from './story/en.ts';
import { en as upload } from './upload/en.ts';
import { en as viewer } from './viewer/en.ts';

export const en = {
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
} as const satisfies Record<string, string>;

export type MessageKey = keyof typeof en;
export type Messages = Readonly<Record<MessageKey, string>>;
