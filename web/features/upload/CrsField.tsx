// A coordinate system, by its code or found by words of its name.

import { useEffect, useState } from 'react';
import { get } from '../../api/client.ts';
import { useText } from '../../lib/i18n/text.ts';
import { InputField } from '../../ui/Field.tsx';
import './crs-field.css';

const TYPING_MS = 250;
/** A code is an answer; anything else is looked for. */
const CODE = /^(?:epsg:)?\d{4,6}$/i;

type System = { readonly code: string; readonly name: string };

export function CrsField({
  hint,
  required = false,
  initial = '',
}: {
  readonly hint?: string;
  readonly required?: boolean;
  readonly initial?: string;
}) {
  const t = useText();
  const [text, setText] = useState(initial);
  const [chosen, setChosen] = useState<System>();
  const [found, setFound] = useState<{ readonly text: string; readonly systems: readonly System[] }>();
  const isOpen = found !== undefined && found.text === text && chosen === undefined;
  useEffect(() => {
    if (text.trim().length < 2 || text === chosen?.code || text === initial) return setFound(undefined);
    const asked = new AbortController();
    const later = window.setTimeout(() => {
      get(`/api/v2/crs/?search=${encodeURIComponent(text)}`, asked.signal).then(
        (reply) => setFound(reply.ok ? { text, systems: reply.value.crs } : undefined),
        () => undefined,
      );
    }, TYPING_MS);
    return () => {
      window.clearTimeout(later);
      asked.abort();
    };
  }, [text, chosen, initial]);
  const choose = (system: System): void => {
    setText(system.code);
    setChosen(system);
    setFound(undefined);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and the list in it.
    <div
      className="crs-field"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) {
          event.stopPropagation();
          setFound(undefined);
        }
        const [only] = found?.systems ?? [];
        if (event.key === 'Enter' && isOpen && only !== undefined && event.target instanceof HTMLInputElement) {
          // A name is not an answer yet.
          if (!CODE.test(text)) {
            event.preventDefault();
            choose(only);
          }
        }
      }}
    >
      <InputField
        label={t('meta.crs')}
        hint={chosen?.name ?? hint ?? t('crs.hint')}
        name="crs"
        placeholder="EPSG:4326"
        required={required}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        pattern="(?:[Ee][Pp][Ss][Gg]:)?[0-9]{4,6}"
        title={t('crs.hint')}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(undefined);
        }}
      />
      <div role="status" className="visually-hidden">
        {isOpen ? t.count('crs.found', found.systems.length) : ''}
      </div>
      {isOpen && (
        <ul className="crs-list">
          {found.systems.map((system) => (
            <li key={system.code}>
              <button type="button" onClick={() => choose(system)}>
                {system.name} <span className="soft number">{system.code}</span>
              </button>
            </li>
          ))}
          {found.systems.length === 0 && <li className="soft">{t('crs.nothing')}</li>}
        </ul>
      )}
    </div>
  );
}
