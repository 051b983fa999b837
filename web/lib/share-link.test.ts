import { expect, test } from 'vitest';
import { addLink } from './share-link.ts';

const LINK = 'a'.repeat(32);

test.each([
  ['/api/v2/maps/5/', `/api/v2/maps/5/?unlisted=${LINK}`],
  ['/api/v2/layers/?filter{pk.in}=5', `/api/v2/layers/?filter{pk.in}=5&unlisted=${LINK}`],
  ['https://maps.example/tiles/5/{z}/{x}/{y}.mvt', `https://maps.example/tiles/5/{z}/{x}/{y}.mvt?unlisted=${LINK}`],
  ['/documents/5/view#page=2', `/documents/5/view?unlisted=${LINK}#page=2`],
  ['/wms?request=GetMap', `/wms?request=GetMap&unlisted=${LINK}`],
  ['/account/token/', `/account/token/?unlisted=${LINK}`],
  // It has one already.
  [`/api/v2/maps/5/?unlisted=${LINK}`, `/api/v2/maps/5/?unlisted=${LINK}`],
  // Nothing of an item, or of somebody else.
  ['/sprites/marks.json', '/sprites/marks.json'],
  ['/rest/v1/wells?id=eq.5', '/rest/v1/wells?id=eq.5'],
  ['https://tiles.example/tiles/5/0/0/0.mvt', 'https://tiles.example/tiles/5/0/0/0.mvt'],
  ['https://maps.example.org/tiles/5', 'https://maps.example.org/tiles/5'],
  ['//tiles.example/tiles/5', '//tiles.example/tiles/5'],
  ['/wmsx', '/wmsx'],
])('%s is asked for as %s', (address, linked) => {
  expect(addLink(address, LINK, 'https://maps.example')).toBe(linked);
});
