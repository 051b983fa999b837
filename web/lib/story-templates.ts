// Beginnings of stories: sections in a form that works, to be filled. Pure.

import { newSection, type Section } from './story.ts';

export const TEMPLATES = ['report', 'tour', 'gallery'] as const;
export type Template = (typeof TEMPLATES)[number];
type Heading = 'beginning' | 'place' | 'numbers' | 'end' | 'picture';

export function templateSections(template: Template, heading: (name: Heading) => string): readonly Section[] {
  const titled = (n: number, layout: Section['layout'], name: Heading): Section => ({
    ...newSection(n, layout),
    title: heading(name),
  });
  switch (template) {
    case 'report':
      return [
        titled(1, 'cover', 'beginning'),
        titled(2, 'right', 'numbers'),
        titled(3, 'wide', 'picture'),
        titled(4, 'wide', 'end'),
      ];
    case 'tour':
      return [
        titled(1, 'cover', 'beginning'),
        ...[2, 3, 4].map((n) => titled(n, 'right', 'place')),
        titled(5, 'wide', 'end'),
      ];
    case 'gallery':
      return [
        titled(1, 'cover', 'beginning'),
        titled(2, 'left', 'picture'),
        titled(3, 'right', 'picture'),
        titled(4, 'wide', 'picture'),
      ];
  }
}
