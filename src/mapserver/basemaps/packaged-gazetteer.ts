// The gazetteer of the packaged names, made when it is first asked for and kept.

import { type Gazetteer, makeGazetteer } from './find-places.ts';
import { toDegrees } from './web-metres.ts';
import { loadWorldData } from './world-data.ts';

let known: Promise<Gazetteer> | undefined;

export function packagedGazetteer(): Promise<Gazetteer> {
  known ??= loadWorldData().then((data) => makeGazetteer(data, toDegrees));
  known.catch(() => {
    known = undefined;
  });
  return known;
}
