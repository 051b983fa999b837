// A page of the documentation, shown: headings with their anchors, text, tables, and code with its examples.

import { createContext, Fragment, useContext } from 'react';
import type { DocBlock, DocRun } from '../../lib/docs/doc-page.ts';
import { useText } from '../../lib/i18n/text.ts';
import { IconButton } from '../../ui/Button.tsx';
import { copyText } from '../../ui/CopyField.tsx';
import { Link } from '../../ui/Link.tsx';
import { RunExample } from './RunExample.tsx';

/** The place of a part is what it is known by: parts have no names. */
const numbered = <T,>(list: readonly T[]): readonly { readonly at: string; readonly one: T }[] =>
  list.map((one, i) => ({ at: `p${i}`, one }));

/** What becomes of the addresses in examples. */
export const ExampleAddress = createContext<(code: string) => string>((code) => code);

export function DocBlocks({ blocks }: { readonly blocks: readonly DocBlock[] }) {
  return numbered(blocks).map(({ at, one }) => <Block key={at} block={one} />);
}

function Block({ block }: { readonly block: DocBlock }) {
  switch (block.kind) {
    case 'heading':
      return <Heading block={block} />;
    case 'paragraph':
      return (
        <p>
          <Runs runs={block.runs} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <DocBlocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List>
          {numbered(block.items).map(({ at, one }) => (
            <li key={at}>
              <DocBlocks blocks={one} />
            </li>
          ))}
        </List>
      );
    }
    case 'code':
      return <Code block={block} />;
    case 'table':
      return <Table block={block} />;
  }
}

function Heading({ block: { level, id, runs } }: { readonly block: DocBlock & { readonly kind: 'heading' } }) {
  const t = useText();
  const Level = `h${level}` as const;
  return (
    <Level id={id}>
      <Runs runs={runs} />
      <a className="anchor" href={`#${id}`} aria-label={t('docs.link-here')} title={t('docs.link-here')}>
        #
      </a>
    </Level>
  );
}

function Code({ block: { parts } }: { readonly block: DocBlock & { readonly kind: 'code' } }) {
  const t = useText();
  const address = useContext(ExampleAddress);
  const examples = parts.map(({ text, request }) => ({ text: address(text), request }));
  return (
    <div className="doc-code">
      {numbered(examples).map(({ at, one: { text, request } }) => (
        <Fragment key={at}>
          <div className="doc-code-part">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <pre className="code" tabIndex={0}>
              {text}
            </pre>
            <IconButton
              icon="copy"
              small
              className="doc-copy"
              name={t('docs.copy')}
              onClick={() => void copyText(text, t('copied'))}
            />
          </div>
          {request !== undefined && <RunExample request={request} />}
        </Fragment>
      ))}
    </div>
  );
}

function Table({ block: { head, rows } }: { readonly block: DocBlock & { readonly kind: 'table' } }) {
  const t = useText();
  return (
    // A group and no region: a page has several, and they have no names of their own to tell them apart.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: it is no part of a form.
    <div className="doc-table" role="group" tabIndex={0} aria-label={t('docs.table')}>
      <table>
        {head.some((cell) => cell.length > 0) && (
          <thead>
            <tr>
              {numbered(head).map(({ at, one }) =>
                one.length === 0 ? (
                  <td key={at} />
                ) : (
                  <th key={at} scope="col">
                    <Runs runs={one} />
                  </th>
                ),
              )}
            </tr>
          </thead>
        )}
        <tbody>
          {numbered(rows).map(({ at, one: row }) => (
            <tr key={at}>
              {numbered(row).map(({ at: column, one }) => (
                <td key={column}>
                  <Runs runs={one} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Runs({ runs }: { readonly runs: readonly DocRun[] }) {
  return numbered(runs).map(({ at, one }) => <Run key={at} run={one} />);
}

function Run({ run }: { readonly run: DocRun }) {
  const address = useContext(ExampleAddress);
  switch (run.kind) {
    case 'text':
      return run.text;
    case 'code':
      return <code>{address(run.text)}</code>;
    case 'bold':
      return <strong>{run.text}</strong>;
    case 'italic':
      return <em>{run.text}</em>;
    case 'key':
      return <kbd>{run.text}</kbd>;
    case 'link':
      return run.to.startsWith('/') ? (
        <Link to={run.to}>
          <Runs runs={run.runs} />
        </Link>
      ) : (
        <a href={run.to} {...(run.to.startsWith('#') ? {} : { target: '_blank', rel: 'noopener noreferrer' })}>
          <Runs runs={run.runs} />
        </a>
      );
  }
}
