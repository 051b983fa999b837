// How other programs use this layer, as code with its address in it.

import { useId, useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { exampleFor, type LayerAddress, PROGRAMS } from '../../lib/use-layer.ts';
import { IconButton } from '../../ui/Button.tsx';
import { copyText } from '../../ui/CopyField.tsx';
import { Link } from '../../ui/Link.tsx';

export function UseLayer({ layer }: { readonly layer: LayerAddress }) {
  const t = useText();
  const id = useId();
  const offered = PROGRAMS.filter((program) => exampleFor(program, layer) !== undefined);
  const [program, choose] = useState(offered[0] ?? 'curl');
  const code = exampleFor(program, layer) ?? '';
  return (
    <section className="stack" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t('links.use')}</h3>
      <p className="soft">{t('links.use-about')}</p>
      <div className="field">
        <label htmlFor={id}>{t('links.program')}</label>
        <div className="copy-row">
          <select
            id={id}
            className="input"
            value={program}
            onChange={({ currentTarget }) => choose(offered[currentTarget.selectedIndex] ?? 'curl')}
          >
            {offered.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <IconButton
            icon="copy"
            look="plain"
            name={t('action.copy-named', { name: program })}
            onClick={() => void copyText(code, t('copied'))}
          />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
      <p>
        <Link to="/docs/programs">{t('links.use-more')}</Link>
      </p>
    </section>
  );
}
