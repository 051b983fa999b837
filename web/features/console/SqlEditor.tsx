// The field for a statement in SQL, with what could stand at the caret in a list below it: while it is open the arrow keys choose from it, Enter takes
// what is chosen, Escape closes it.

import { useId, useRef, useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { completeSql, type SqlCompletion, type SqlOption, type SqlTable } from '../../lib/sql-completion.ts';
import { Field } from '../../ui/Field.tsx';

type Open = SqlCompletion & { readonly active: number | undefined };

export function SqlEditor({
  statement,
  tables,
  onChange,
  onRun,
}: {
  readonly statement: string;
  readonly tables: readonly SqlTable[];
  readonly onChange: (statement: string) => void;
  readonly onRun: () => void;
}) {
  const t = useText();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [open, setOpen] = useState<Open>();
  const look = (text: string, caret: number, isAsked: boolean): void => {
    const found = completeSql(text, caret, tables, isAsked);
    setOpen(found === undefined ? undefined : { ...found, active: isAsked ? 0 : undefined });
  };
  const take = ({ text }: SqlOption): void => {
    if (open === undefined) return;
    const caret = open.from + text.length;
    onChange(statement.slice(0, open.from) + text + statement.slice(open.to));
    setOpen(undefined);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(caret, caret);
    });
  };
  /** Whether the key was for the list. */
  const isTaken = (key: string): boolean => {
    if (open === undefined) return false;
    const { options, active } = open;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const step = key === 'ArrowDown' ? 1 : -1;
      const next = active === undefined ? (step === 1 ? 0 : options.length - 1) : active + step;
      setOpen({ ...open, active: (next + options.length) % options.length });
      return true;
    }
    if (key === 'Escape') {
      setOpen(undefined);
      return true;
    }
    const chosen = active === undefined ? undefined : options[active];
    if (key !== 'Enter' || chosen === undefined) return false;
    take(chosen);
    return true;
  };
  return (
    <div className="sql-editor">
      <Field label={t('sql.statement')} hint={t('sql.keys')}>
        {(wired) => (
          <textarea
            {...wired}
            ref={area}
            className="input code-input"
            rows={8}
            spellCheck={false}
            autoComplete="off"
            maxLength={20_000}
            placeholder="select * from …"
            value={statement}
            aria-autocomplete="list"
            aria-controls={open === undefined ? undefined : id}
            aria-activedescendant={open?.active === undefined ? undefined : `${id}-${open.active}`}
            onChange={(event) => {
              onChange(event.target.value);
              look(event.target.value, event.target.selectionStart, false);
            }}
            onBlur={() => setOpen(undefined)}
            onClick={() => setOpen(undefined)}
            onKeyDown={(event) => {
              const isCommand = event.ctrlKey || event.metaKey;
              if (event.key === 'Enter' && isCommand) {
                setOpen(undefined);
                onRun();
              } else if (event.key === ' ' && isCommand) {
                look(statement, event.currentTarget.selectionStart, true);
              } else if (isCommand || event.altKey || !isTaken(event.key)) {
                // Wherever else the caret goes, the list would be about another place.
                if (/^(?:Arrow(?:Left|Right)|Home|End|Page(?:Up|Down))$/.test(event.key)) setOpen(undefined);
                return;
              }
              event.preventDefault();
            }}
          />
        )}
      </Field>
      <p role="status" className="visually-hidden">
        {open === undefined ? '' : t.count('sql.suggestions', open.options.length)}
      </p>
      {open !== undefined && (
        <div id={id} role="listbox" className="sql-options" aria-label={t('sql.suggested')}>
          {open.options.map((option, i) => (
            // The focus stays in the statement, which names the active option; keys are those of the statement.
            // biome-ignore lint/a11y/useFocusableInteractive: see above.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
            <div
              key={`${option.kind} ${option.text}`}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === open.active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
            >
              <code>{option.text}</code> <span className="soft small-text">{t(`sql.kind-${option.kind}`)}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
