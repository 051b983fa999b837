// What services of maps say of a map in the language of its reader: below legends, and in the abstracts of layers. Pure.

import { CELL_PIXELS } from '../cells/cell.ts';
import type { LegendWords } from '../render/legend.ts';
import type { Language } from './reader-words.ts';

export type MapWords = LegendWords & {
  /** `width`: as people write it. */
  cells(width: string): string;
  /** On maps of a smaller scale than 1 to so much. */
  summarised(scale: string): string;
};

export const MAP_WORDS: Readonly<Record<Language, MapWords>> = {
  en: {
    none: 'No value',
    few: 'few',
    many: 'many',
    cells: (width) => `Cells of ${width}, each of all features in it`,
    summarised: (scale) =>
      `On maps of a smaller scale than 1:${scale} features are summarised in cells of ${CELL_PIXELS} pixels.`,
  },
  de: {
    none: 'Kein Wert',
    few: 'wenige',
    many: 'viele',
    cells: (width) => `Zellen von ${width}, jede aus allen Objekten darin`,
    summarised: (scale) =>
      `Auf Karten mit einem kleineren Maßstab als 1:${scale} sind Objekte in Zellen von ${CELL_PIXELS} Pixeln zusammengefasst.`,
  },
  fr: {
    none: 'Aucune valeur',
    few: 'peu',
    many: 'beaucoup',
    cells: (width) => `Cellules de ${width}, chacune à partir de toutes ses entités`,
    summarised: (scale) =>
      `Sur les cartes à une échelle inférieure à 1:${scale}, les entités sont regroupées en cellules de ${CELL_PIXELS} pixels.`,
  },
  es: {
    none: 'Sin valor',
    few: 'pocos',
    many: 'muchos',
    cells: (width) => `Celdas de ${width}, cada una a partir de todas sus entidades`,
    summarised: (scale) =>
      `En mapas de escala menor que 1:${scale}, las entidades se agrupan en celdas de ${CELL_PIXELS} píxeles.`,
  },
};
