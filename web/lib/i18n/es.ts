import { es as account } from './account/es.ts';
import { es as admin } from './admin/es.ts';
import { es as analysis } from './analysis/es.ts';
import { es as app } from './app/es.ts';
import { es as basemaps } from './basemaps/es.ts';
import { es as catalogue } from './catalogue/es.ts';
import { es as cleaning } from './cleaning/es.ts';
import { es as common } from './common/es.ts';
import { es as console } from './console/es.ts';
import { es as dashboard } from './dashboard/es.ts';
import { es as docs } from './docs/es.ts';
import { es as editor } from './editor/es.ts';
import type { Messages } from './en.ts';
import { es as groups } from './groups/es.ts';
import { es as presentation } from './presentation/es.ts';
import { es as resource } from './resource/es.ts';
import { es as services } from './services/es.ts';
import { es as sharing } from './sharing/es.ts';
import { es as social } from './social/es.ts';
import { es as sources } from './sources/es.ts';
import { es as story } from './story/es.ts';
import { es as upload } from './upload/es.ts';
import { es as viewer } from './viewer/es.ts';

export const es: Messages = {
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
