// Tables and the keys between them, drawn. A table is opened by its name.

import { useMemo } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import type { Table } from '../../lib/swagger.ts';
import { BOX_WIDTH, type Box, layOutTables, rowOf } from '../../lib/table-diagram.ts';
import { Link } from '../../ui/Link.tsx';

export function TableDiagram({ tables }: { readonly tables: readonly Table[] }) {
  const t = useText();
  const { width, height, boxes, lines } = useMemo(() => layOutTables(tables), [tables]);
  return (
    <div className="stack">
      <p className="soft">{lines.length === 0 ? t('data.no-relations') : t.count('data.relations', lines.length)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="scroll-x diagram" tabIndex={0} aria-label={t('data.diagram')}>
        <svg width={width} height={height} role="img" aria-label={t('data.diagram')}>
          <defs>
            <marker id="diagram-end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
              <path d="M 0 0 L 8 4 L 0 8 z" />
            </marker>
          </defs>
          {lines.map(({ from, column, to, path }) => (
            <path key={`${from}.${column} ${to}`} className="diagram-line" d={path} markerEnd="url(#diagram-end)" />
          ))}
          {boxes.map((box) => (
            <BoxShape key={box.table} box={box} />
          ))}
        </svg>
      </section>
      {lines.length > 0 && (
        <ul className="diagram-list">
          {lines.map(({ from, column, to }) => (
            <li key={`${from}.${column} ${to}`}>
              <Link to={`/console?tab=data&table=${encodeURIComponent(from)}`}>{from}</Link>.{column} →{' '}
              <Link to={`/console?tab=data&table=${encodeURIComponent(to)}`}>{to}</Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function BoxShape({ box }: { readonly box: Box }) {
  const t = useText();
  return (
    <g className="diagram-box">
      <rect x={box.x} y={box.y} width={BOX_WIDTH} height={box.height} rx={6} />
      <text className="title" x={box.x + 10} y={box.y + 19}>
        {short(box.table)}
        <title>{box.table}</title>
      </text>
      {box.columns.map(({ name, isKey, isForeign }) => (
        <text key={name} className={isKey ? 'key' : isForeign ? 'foreign' : ''} x={box.x + 10} y={rowOf(box, name) + 5}>
          {short(name)}
          <title>{name}</title>
        </text>
      ))}
      {box.others > 0 && (
        <text className="others" x={box.x + 10} y={box.y + box.height - 10}>
          {t.count('data.further-columns', box.others)}
        </text>
      )}
    </g>
  );
}

const MAX_SHOWN = 22;

function short(name: string): string {
  return name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN - 1)}…` : name;
}
