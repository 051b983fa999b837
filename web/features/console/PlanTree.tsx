// What EXPLAIN says of a statement, as a tree: each step with its own share of the cost as a bar, and what it took where it was run.

import { useText } from '../../lib/i18n/text.ts';
import type { PlanStep } from '../../lib/query-plan.ts';

export function PlanTree({ plan }: { readonly plan: PlanStep }) {
  const t = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x plan" tabIndex={0} aria-label={t('sql.plan')}>
      <ul>
        <Step step={plan} />
      </ul>
    </section>
  );
}

function Step({ step }: { readonly step: PlanStep }) {
  const t = useText();
  const { title, notes, cost, share, rows, actual, steps } = step;
  const percent = Math.round(share * 100);
  return (
    <li>
      <div className="plan-step">
        <strong>{title}</strong>
        <span className="plan-bar" aria-hidden="true">
          <span style={{ width: `${percent}%` }} />
        </span>
        <span className="soft small-text number">
          {t('sql.step', { percent: String(percent), cost: t.number(cost), rows: t.number(rows) })}
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
            <Step key={i} step={below} />
          ))}
        </ul>
      )}
    </li>
  );
}
