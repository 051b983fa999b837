// Text in the simple markup, shown.

import { type Block, parseMarkup, type Run } from '../lib/markup.ts';

export function Markup({ source }: { readonly source: string }) {
  return (
    <div className="user-html">
      {numbered(parseMarkup(source)).map(({ at, one }) => (
        <BlockView key={at} block={one} />
      ))}
    </div>
  );
}

/** The place of a part is what it is known by: parts have no names. */
const numbered = <T,>(list: readonly T[]): readonly { readonly at: string; readonly one: T }[] =>
  list.map((one, i) => ({ at: `p${i}`, one }));

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Runs runs={block.runs} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <Runs runs={block.runs} />
        </blockquote>
      );
    case 'heading':
      return (
        <h3>
          <Runs runs={block.runs} />
        </h3>
      );
    case 'list':
      return (
        <ul>
          {numbered(block.items).map(({ at, one }) => (
            <li key={at}>
              <Runs runs={one} />
            </li>
          ))}
        </ul>
      );
  }
}

function Runs({ runs }: { readonly runs: readonly Run[] }) {
  return numbered(runs).map(({ at, one }) => <RunView key={at} run={one} />);
}

function RunView({ run }: { readonly run: Run }) {
  switch (run.kind) {
    case 'text':
      return run.text;
    case 'bold':
      return <strong>{run.text}</strong>;
    case 'italic':
      return <em>{run.text}</em>;
    case 'link':
      return (
        <a href={run.to} rel="noopener noreferrer nofollow">
          {run.text}
        </a>
      );
  }
}
