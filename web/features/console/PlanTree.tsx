// What EXPLAIN says of a statement: a picture of bars, each as wide as what a step and those below it take, and the same as a tree in words, each step
// with its own share.

import { useMemo } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { barsOf, marksOf, type PlanStep } from '../../lib/query-plan.ts';

export function PlanTree({ plan }: { readonly plan: PlanStep }) {
  const t = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x plan stack" tabIndex={0} aria-label={t('sql.plan')}>
      <PlanPicture plan={plan} />
      <ul>
        <Step step={plan} isRun={plan.actual !== undefined} />
      </ul>
    </section>
  );
}

const WIDTH = 1000;
const ROW = 34;
/** Of a letter. */
const LETTER = 8;

function PlanPicture({ plan }: { readonly plan: PlanStep }) {
  const t = useText();
  const bars = useMemo(() => barsOf(plan), [plan]);
  const depth = Math.max(...bars.map((bar) => bar.depth)) + 1;
  const dearest = bars.reduce((best, { step }) => (step.share > best.share ? step : best), plan);
  const said = t(plan.actual === undefined ? 'sql.picture-cost' : 'sql.picture-time', {
    n: t.number(bars.length),
    step: dearest.title,
    percent: percentOf(dearest),
  });
  return (
    <svg className="plan-picture" viewBox={`0 0 ${WIDTH} ${depth * ROW}`} role="img" aria-label={said}>
      {bars.map(({ step, left, width, depth: row }, i) => {
        const letters = Math.floor((width * WIDTH - LETTER) / LETTER);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan stay where they are.
          <g key={i} transform={`translate(${left * WIDTH} ${row * ROW})`}>
            <title>{`${step.title}: ${percentOf(step)}%`}</title>
            <rect
              className={marksOf(step).includes('expensive') ? 'plan-part expensive' : 'plan-part'}
              width={Math.max(1, width * WIDTH - 2)}
              height={ROW - 3}
              rx={4}
            />
            {letters >= 4 && (
              <text x={LETTER} y={ROW / 2 + 4}>
                {step.title.length > letters ? `${step.title.slice(0, letters - 1)}…` : step.title}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function percentOf({ share }: PlanStep): string {
  return String(Math.round(share * 100));
}

function Step({ step, isRun }: { readonly step: PlanStep; readonly isRun: boolean }) {
  const t = useText();
  const { title, notes, cost, rows, actual, steps } = step;
  const percent = percentOf(step);
  const marks = marksOf(step);
  return (
    <li>
      <div className="plan-step">
        <strong>
          {title}{' '}
          {marks.map((mark) => (
            <span key={mark} className="badge warm">
              {t(`sql.mark-${mark}`)}
            </span>
          ))}
        </strong>
        <span className={marks.includes('expensive') ? 'plan-bar expensive' : 'plan-bar'} aria-hidden="true">
          <span style={{ width: `${percent}%` }} />
        </span>
        <span className="soft small-text number">
          {t(isRun ? 'sql.step-time' : 'sql.step', { percent, cost: t.number(cost), rows: t.number(rows) })}
          {actual !== undefined &&
            ` · ${t('sql.step-actual', { rows: t.number(actual.rows * actual.loops), ms: t.number(actual.ms * actual.loops) })}`}
        </span>
        {notes.map((note) => (
          <code key={note} className="small-text">
            {note}
          </code>
        ))}
      </div>
      {steps.length > 0 && (
        <ul>
          {steps.map((below, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan stay where they are.
            <Step key={i} step={below} isRun={isRun} />
          ))}
        </ul>
      )}
    </li>
  );
}
