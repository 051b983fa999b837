// Map symbols of our own drawing, as SVG paths in a box of 24 by 24, filled by the rule `evenodd`: schools, trees, bus stops and what else maps have. The sprite of
// viewers, our own renderer and legends draw the same paths. Pure.

const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const box = (x: number, y: number, width: number, height: number): string => `M${x} ${y}h${width}v${height}h${-width}Z`;
const polygon = (...places: readonly number[]): string =>
  `${places.map((place, i) => (i % 2 === 0 ? `${i === 0 ? 'M' : 'L'}${place}` : ` ${place}`)).join('')}Z`;
const wave = (y: number): string =>
  `M1 ${y + 3}C4 ${y} 7 ${y} 9 ${y + 2.5}S15 ${y + 5} 18 ${y + 2.5}C20 ${y + 1} 21.5 ${y + 1} 23 ${y + 2.5}V${y + 5.5}C21.5 ${y + 4} 20 ${y + 4} 18 ${y + 5.5}C15 ${y + 8} 11 ${y + 8} 9 ${y + 5.5}S4 ${y + 3} 1 ${y + 6}Z`;

export const ICON_NAMES = [
  'airport',
  'animal',
  'bridge',
  'building',
  'bus',
  'cafe',
  'camera',
  'camp',
  'car',
  'castle',
  'church',
  'factory',
  'farm',
  'fire-station',
  'fish',
  'flag',
  'forest',
  'fuel',
  'harbour',
  'home',
  'hospital',
  'hotel',
  'info',
  'lake',
  'library',
  'lighthouse',
  'monument',
  'mountain',
  'museum',
  'park',
  'parking',
  'person',
  'pharmacy',
  'pin',
  'police',
  'post',
  'power',
  'restaurant',
  'school',
  'shop',
  'sports',
  'tower',
  'town-hall',
  'train',
  'tree',
  'viewpoint',
  'warning',
  'waste',
  'water',
  'wind',
] as const;

export type IconName = (typeof ICON_NAMES)[number];

export const ICONS: Readonly<Record<IconName, string>> = {
  airport:
    'M12 1C13.2 1 13.8 2.5 13.8 4V9L23 14.5V17L13.8 14.3V19.5L17 22V23.5L12 22L7 23.5V22L10.2 19.5V14.3L1 17V14.5L10.2 9V4C10.2 2.5 10.8 1 12 1Z',
  animal: `${circle(5, 10, 2.2)}${circle(9.4, 5.2, 2.2)}${circle(14.6, 5.2, 2.2)}${circle(19, 10, 2.2)}M12 10.5C16 10.5 19 15 19 18.5C19 21 16.5 22 12 20.5C7.5 22 5 21 5 18.5C5 15 8 10.5 12 10.5Z`,
  bridge: 'M1 8H23V11H20V20H17V17a5 5 0 0 0-10 0V20H4V11H1Z',
  building: `${box(4, 1, 16, 22)}${box(7, 4, 3, 3)}${box(14, 4, 3, 3)}${box(7, 9.5, 3, 3)}${box(14, 9.5, 3, 3)}${box(10, 16, 4, 7)}`,
  bus: `M4 2H20a2 2 0 0 1 2 2V19H2V4a2 2 0 0 1 2-2Z${box(4, 5, 16, 6)}${circle(6.5, 15, 1.6)}${circle(17.5, 15, 1.6)}${box(4, 20, 4, 3)}${box(16, 20, 4, 3)}`,
  cafe: `M3 6H18V14a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5ZM19.2 8H20a3.5 3.5 0 0 1 0 7H19.2V13H20a1.5 1.5 0 0 0 0-3H19.2Z${box(2, 21, 17, 2)}`,
  camera: `M8 4H16L17.5 7H22a1 1 0 0 1 1 1V20a1 1 0 0 1-1 1H2a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1H6.5Z${circle(12, 13.5, 5)}${circle(12, 13.5, 2.8)}`,
  camp: polygon(12, 3, 23, 21, 15.5, 21, 12, 14, 8.5, 21, 1, 21),
  car: `M5 5H19L22 12V20H19V18H5V20H2V12Z${polygon(6.4, 7, 17.6, 7, 19.3, 11.5, 4.7, 11.5)}${circle(6, 14.8, 1.5)}${circle(18, 14.8, 1.5)}`,
  castle: 'M2 2H6V5H10V2H14V5H18V2H22V10H20V23H15V17a3 3 0 0 0-6 0V23H4V10H2Z',
  church: `${polygon(11, 0, 13, 0, 13, 2, 15, 2, 15, 4, 13, 4, 13, 6, 11, 6, 11, 4, 9, 4, 9, 2, 11, 2)}${polygon(12, 7, 17, 12, 17, 15, 22, 18, 22, 24, 14, 24, 14, 19, 10, 19, 10, 24, 2, 24, 2, 18, 7, 15, 7, 12)}`,
  factory: `M1 23V12L8 8V12L15 8V12H16L17 1H21L23 23Z${box(4, 15.5, 3, 3)}${box(10, 15.5, 3, 3)}${box(16.5, 15.5, 3, 3)}`,
  farm: `M12 2L21 8V23H16V14H8V23H3V8Z${box(9.5, 15.5, 5, 7.5)}`,
  'fire-station':
    'M12 1C13 6 19 9 19 15C19 20 16 23 12 23C8 23 5 20 5 15C5 12 7 10 8 8C9 10 10 10.5 10.5 11C11 8 10.5 4 12 1Z',
  fish: `M1 12C5 6 12 5.5 17 10.5L23 6V18L17 13.5C12 18.5 5 18 1 12Z${circle(6.5, 11, 1.3)}`,
  flag: `${box(4, 1, 2.2, 22)}M6.8 2H21L17.5 7L21 12H6.8Z`,
  forest: polygon(
    ...[12, 1, 18, 9, 15.5, 9, 20, 15, 16.5, 15, 21.5, 21, 13.2, 21, 13.2, 24],
    ...[10.8, 24, 10.8, 21, 2.5, 21, 7.5, 15, 4, 15, 8.5, 9, 6, 9],
  ),
  fuel: `${box(3, 2, 11, 20)}${box(5, 4.5, 7, 5)}M15.5 6L20 9.5V18a2.6 2.6 0 0 1-4.5 1.5V13H17.2V18a.9 .9 0 0 0 1.3 0V11L15.5 8.5Z`,
  harbour: `${circle(12, 4, 3)}${circle(12, 4, 1.3)}M10.9 7H13.1V9H17V11.2H13.1V20.5C17 20 19.5 17.5 20 14.5L18 15.5L21.5 11L23.8 16L22 15C21.5 20 17.5 23.5 12 23.5C6.5 23.5 2.5 20 2 15L.2 16L2.5 11L6 15.5L4 14.5C4.5 17.5 7 20 10.9 20.5V11.2H7V9H10.9Z`,
  home: polygon(12, 2, 23.5, 12, 20, 12, 20, 22, 14.5, 22, 14.5, 15, 9.5, 15, 9.5, 22, 4, 22, 4, 12, 0.5, 12),
  hospital: `${box(2, 2, 20, 20)}${polygon(9.5, 5, 14.5, 5, 14.5, 9.5, 19, 9.5, 19, 14.5, 14.5, 14.5, 14.5, 19, 9.5, 19, 9.5, 14.5, 5, 14.5, 5, 9.5, 9.5, 9.5)}`,
  hotel: `${box(1, 4, 2.4, 17)}${circle(7, 11, 2.6)}M11 8.5H19a4 4 0 0 1 4 4V14H11Z${box(3.4, 15, 19.6, 3)}${box(20.6, 18, 2.4, 3)}`,
  info: `${circle(12, 12, 11)}${circle(12, 6.5, 1.8)}${box(10.4, 10, 3.2, 9)}`,
  lake: `${wave(1)}${wave(8)}${wave(15)}`,
  library: `${polygon(1, 5, 11.2, 7.5, 11.2, 21, 1, 18.5)}${polygon(23, 5, 12.8, 7.5, 12.8, 21, 23, 18.5)}`,
  lighthouse: `${polygon(9, 9, 15, 9, 17, 24, 7, 24)}${box(8, 5, 8, 2.8)}${polygon(12, 1, 16, 4, 8, 4)}${polygon(0, 2, 6.5, 5, 6.5, 7, 0, 9)}${polygon(24, 2, 17.5, 5, 17.5, 7, 24, 9)}`,
  monument: `${polygon(12, 1, 14.5, 5, 15.5, 18, 8.5, 18, 9.5, 5)}${box(6, 19, 12, 2)}${box(4, 21.8, 16, 2)}`,
  mountain: polygon(9, 4, 13, 11, 15.5, 7.5, 23.5, 21, 0.5, 21),
  museum: `${polygon(12, 1, 23, 8, 1, 8)}${box(3, 10, 3, 8)}${box(10.5, 10, 3, 8)}${box(18, 10, 3, 8)}${box(1, 20, 22, 3)}`,
  park: 'M22 2C22 13 18 20 9 20C7.5 20 6.3 19.7 5.3 19.2L3 23L1.3 21.8L4 17.8C2.5 12 6 3 22 2Z',
  parking:
    'M4 1H20a3 3 0 0 1 3 3V20a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3ZM8 5H13a4.5 4.5 0 0 1 0 9H11V19H8ZM11 7.8V11.2H13a1.7 1.7 0 0 0 0-3.4Z',
  person: `${circle(12, 5, 4)}M4 23C4 15 7 11 12 11S20 15 20 23Z`,
  pharmacy: polygon(
    ...[8.5, 2, 15.5, 2, 15.5, 8.5, 22, 8.5, 22, 15.5, 15.5, 15.5],
    ...[15.5, 22, 8.5, 22, 8.5, 15.5, 2, 15.5, 2, 8.5, 8.5, 8.5],
  ),
  pin: `M12 1A8 8 0 0 1 20 9C20 14 15 18 12 23.5C9 18 4 14 4 9A8 8 0 0 1 12 1Z${circle(12, 9, 3)}`,
  police: `M12 1L21 4V11C21 17 17 21 12 23C7 21 3 17 3 11V4Z${polygon(12, 6, 13.4, 9.8, 17, 9.9, 14.2, 12.2, 15.2, 16, 12, 13.8, 8.8, 16, 9.8, 12.2, 7, 9.9, 10.6, 9.8)}`,
  post: `${polygon(1, 5, 23, 5, 12, 14)}${polygon(1, 7.5, 12, 16.5, 23, 7.5, 23, 20, 1, 20)}`,
  power: polygon(14, 1, 4, 14, 11, 14, 9, 23, 20, 9, 13, 9),
  restaurant: `${box(5, 1, 1.4, 7)}${box(7.3, 1, 1.4, 7)}${box(9.6, 1, 1.4, 7)}${polygon(5, 8.6, 11, 8.6, 9, 12, 9, 23, 7, 23, 7, 12)}M15 1C19 2 19.5 8 19 13H17.2V23H15Z`,
  school: `${polygon(12, 2, 23, 7, 12, 12, 1, 7)}${polygon(5, 10.5, 12, 13.8, 19, 10.5, 19, 16, 12, 20, 5, 16)}${box(20.8, 9, 1.6, 9)}`,
  shop: 'M3 8H21L22.5 23H1.5ZM7 7V6a5 5 0 0 1 10 0V7H15V6a3 3 0 0 0-6 0V7Z',
  sports: `${circle(12, 12, 11)}${polygon(12, 7, 16.8, 10.5, 15, 16, 9, 16, 7.2, 10.5)}`,
  tower: `${circle(12, 4, 2)}${polygon(12, 6.5, 17, 24, 14.5, 24, 12, 14, 9.5, 24, 7, 24)}`,
  'town-hall': `${box(11.2, 0, 1.2, 7)}${polygon(12.4, 0, 18, 2, 12.4, 4)}${polygon(12, 7, 22, 12, 2, 12)}${box(4, 13.5, 3, 6.5)}${box(10.5, 13.5, 3, 6.5)}${box(17, 13.5, 3, 6.5)}${box(2, 21, 20, 3)}`,
  train: `M6 1H18a3 3 0 0 1 3 3V15a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3Z${box(6, 4, 12, 5.5)}${circle(8, 13.5, 1.6)}${circle(16, 13.5, 1.6)}${polygon(6, 19.5, 9, 19.5, 5.5, 24, 2.5, 24)}${polygon(18, 19.5, 15, 19.5, 18.5, 24, 21.5, 24)}`,
  tree: 'M12 1C17 1 20 4.5 20 8.5C20 13 17 16 13.2 16.5V23H10.8V16.5C7 16 4 13 4 8.5C4 4.5 7 1 12 1Z',
  viewpoint: `M1 12C4 7 8 5 12 5S20 7 23 12C20 17 16 19 12 19S4 17 1 12Z${circle(12, 12, 4.6)}${circle(12, 12, 2.4)}`,
  warning: `${polygon(12, 1.5, 23.5, 22, 0.5, 22)}${box(10.8, 8.5, 2.4, 7)}${circle(12, 18.5, 1.5)}`,
  waste: `${box(9, 1, 6, 2)}${box(3, 3.5, 18, 2.5)}M4.5 7.5H19.5L18 23H6Z${box(8.5, 10, 1.6, 10)}${box(11.2, 10, 1.6, 10)}${box(13.9, 10, 1.6, 10)}`,
  water: 'M12 1C16 7 20 11 20 15.5A8 7.8 0 0 1 4 15.5C4 11 8 7 12 1Z',
  wind: `${polygon(11.3, 13, 12.7, 13, 13.6, 24, 10.4, 24)}${polygon(11, 8, 12, 0, 13.2, 8)}${polygon(12.9, 8.6, 19.6, 13.6, 12.2, 10.4)}${polygon(11.1, 8.6, 4.4, 13.6, 11.8, 10.4)}`,
};

/** Before the name of an icon in an SLD, where plain names are those of shapes. */
export const ICON_SCHEME = 'survest://';

/** Half of the box. */
export const ICON_RADIUS = 12;

/** The path of an icon; undefined: there is none of that name. */
export function iconPath(name: string): string | undefined {
  const known = ICON_NAMES.find((one) => one === name);
  return known === undefined ? undefined : ICONS[known];
}
