// The font that comes with the program: labels and legends look the same on every machine, and on one without any font they are
// there at all. What it has no letters for is drawn with the machine's fonts, if it has some.

import { createRequire } from 'node:module';
import { GlobalFonts } from '@napi-rs/canvas';

/** Under a name of our own: a machine's font of the same name may be another release. */
const FAMILY = 'Survest Sans';
const FACES = ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSans-Oblique', 'DejaVuSans-BoldOblique'];

let isRegistered = false;

/** A CSS font: the wanted family where the machine has it, else ours. */
export function fontText(look: string, size: number, family = ''): string {
  if (!isRegistered) register();
  return `${look}${size}px ${family === '' ? '' : `"${family}", `}"${FAMILY}", sans-serif`;
}

function register(): void {
  const require = createRequire(import.meta.url);
  for (const face of FACES) GlobalFonts.registerFromPath(require.resolve(`dejavu-fonts-ttf/ttf/${face}.ttf`), FAMILY);
  isRegistered = true;
}
