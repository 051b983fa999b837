// How far something is.

export function ProgressBar({
  share,
  label,
  bad = false,
}: {
  readonly share: number;
  readonly label: string;
  readonly bad?: boolean;
}) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div className="stack tight">
      <div className="row apart small-text">
        <span>{label}</span>
        <span className="number">{percent} %</span>
      </div>
      <div
        className={bad ? 'progress bad' : 'progress'}
        role="progressbar"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={label}
        tabIndex={-1}
      >
        <div style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
