import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newWidget } from './dashboard/dashboard.ts';
import { hostOf, moved, newSection, parseStory, partsOf, type Story, storyData } from './story.ts';

const KINDS = ['none', 'image', 'video', 'embed', 'widget', 'map', 'layer'];

const STORY: Story = {
  sections: [
    {
      ...newSection(1, 'cover'),
      title: 'Rivers',
      text: '*So long.*',
      media: { kind: 'image', document: 7, alt: 'A river' },
    },
    { ...newSection(2), media: { kind: 'map', map: 3, view: { center: [10, 50], zoom: 4 } } },
    { ...newSection(3, 'wide'), media: { kind: 'layer', layer: 4, view: undefined } },
    { ...newSection(4, 'left'), media: { kind: 'video', document: 8, alt: 'The flood' } },
    { ...newSection(5, 'right'), media: { kind: 'embed', url: 'https://video.example.org/v/1', alt: 'A talk' } },
    { ...newSection(6, 'right'), media: { kind: 'widget', widget: newWidget('counter', 'w1', 4) } },
  ],
};

test('a story comes back as it was written', () => {
  expect(parseStory(JSON.parse(JSON.stringify(storyData(STORY))))).toEqual(STORY);
});

test('what is no story of ours is not taken for one', () => {
  expect(parseStory({ type: 'cascade', sections: [] })).toBeUndefined();
  expect(parseStory(null)).toBeUndefined();
});

test('whatever stands in a story, it can be shown', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (sections) => {
      const story = parseStory({ type: 'survest-story', sections });
      for (const { media } of story?.sections ?? []) expect(KINDS).toContain(media.kind);
    }),
  );
});

test('sections move, and stop at the ends', () => {
  const ids = (n: readonly { readonly id: string }[]): string => n.map(({ id }) => id).join('');
  expect(ids(moved(STORY.sections, 0, 1))).toBe('s2s1s3s4s5s6');
  expect(moved(STORY.sections, 0, -1)).toBe(STORY.sections);
});

test('sections over the same map are one tour, others stand alone', () => {
  const over = (n: number, map: number, layout: 'side' | 'wide' = 'side') => ({
    ...newSection(n, layout),
    media: { kind: 'map', map, view: undefined } as const,
  });
  const parts = partsOf({ sections: [over(1, 3), over(2, 3), over(3, 4), over(4, 4, 'wide'), newSection(5)] });
  expect(
    parts.map((part) => (part.kind === 'tour' ? part.sections.map(({ id }) => id).join('+') : part.section.id)),
  ).toEqual(['s1+s2', 's3', 's4', 's5']);
});

test.each([
  ['https://video.example.org/v/1', 'video.example.org'],
  ['https://video.example.org:8443/', 'video.example.org:8443'],
  ['http://video.example.org/', undefined],
  ['javascript:alert(1)', undefined],
  ['https://me:secret@video.example.org/', undefined],
  ['/documents/5', undefined],
])('%s is embedded from %s', (url, host) => {
  expect(hostOf(url)).toBe(host);
});
