import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moved, newSection, parseStory, type Story, storyData } from './story.ts';

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
      for (const { media } of story?.sections ?? []) expect(['none', 'image', 'map', 'layer']).toContain(media.kind);
    }),
  );
});

test('sections move, and stop at the ends', () => {
  const ids = (n: readonly { readonly id: string }[]): string => n.map(({ id }) => id).join('');
  expect(ids(moved(STORY.sections, 0, 1))).toBe('s2s1s3');
  expect(moved(STORY.sections, 0, -1)).toBe(STORY.sections);
});
