import { expect, test } from 'vitest';
import { ClosingStack, openTogether } from './closing-stack.ts';
import { err, ok } from './result.ts';

function recorded(): { closed: string[]; stack: ClosingStack; add: (stack: ClosingStack, name: string) => void } {
  const closed: string[] = [];
  const add = (stack: ClosingStack, name: string): void =>
    stack.defer(async () => {
      await Promise.resolve();
      closed.push(name);
    });
  return { closed, stack: new ClosingStack(), add };
}

test('closes in the reverse order, one after the other, and only once', async () => {
  const { closed, stack, add } = recorded();
  for (const name of ['database', 'service', 'listener']) add(stack, name);
  await stack.close();
  await stack.close();
  expect(closed).toEqual(['listener', 'service', 'database']);
});

test('closes at once what is opened too late', async () => {
  const { closed, stack, add } = recorded();
  await stack.close();
  add(stack, 'late');
  await expect.poll(() => closed).toEqual(['late']);
});

test('what was opened together is closed where a later one fails, by an answer or an exception', async () => {
  const { closed, stack, add } = recorded();
  const failed = await openTogether(stack, async (own) => {
    add(own, 'first');
    return err('no');
  });
  expect(failed).toEqual(err('no'));
  const thrown = openTogether(stack, async (own) => {
    add(own, 'second');
    throw new Error('broken');
  });
  await expect(thrown).rejects.toThrow('broken');
  expect(closed).toEqual(['first', 'second']);
});

test('what was opened together stays open until everything is closed', async () => {
  const { closed, stack, add } = recorded();
  add(stack, 'before');
  await openTogether(stack, async (own) => {
    add(own, 'a');
    add(own, 'b');
    return ok(1);
  });
  add(stack, 'after');
  expect(closed).toEqual([]);
  await stack.close();
  expect(closed).toEqual(['after', 'b', 'a', 'before']);
});
