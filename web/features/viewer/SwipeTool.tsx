// Swiping between two layers: a divider on the map, with one of them on its left and the other on its right. The divider is a slider,
// moved by pointer, finger or keys.

import { useRef } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import type { Swipe } from '../../map/MapView.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { type AnyLayer, titleOf } from './viewer-state.ts';
import './swipe.css';

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -0.02,
  ArrowDown: -0.02,
  ArrowRight: 0.02,
  ArrowUp: 0.02,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
};

export function SwipeTool({
  swipe,
  layers,
  onChange,
  onClose,
}: {
  readonly swipe: Swipe;
  readonly layers: readonly AnyLayer[];
  readonly onChange: (to: Swipe) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const divider = useRef<HTMLDivElement>(null);
  const isDragged = useRef(false);
  const left = layers.find(({ key }) => key === swipe.left);
  const percent = Math.round(swipe.at * 100);
  const put = (at: number): void => onChange({ ...swipe, at: Math.min(1, Math.max(0, at)) });
  const choice = (side: 'left' | 'right') => (
    <label className="swipe-choice">
      <span>{t(`swipe.${side}`)}</span>
      <select
        className="input small"
        value={swipe[side]}
        onChange={({ target: { value } }) => {
          const other = side === 'left' ? 'right' : 'left';
          // The same one on both sides would be no comparison: they change places.
          onChange({ ...swipe, [side]: value, ...(swipe[other] === value ? { [other]: swipe[side] } : {}) });
        }}
      >
        {layers.map((one) => (
          <option key={one.key} value={one.key}>
            {titleOf(one)}
          </option>
        ))}
        {side === 'right' && <option value="">{t('swipe.nothing')}</option>}
      </select>
    </label>
  );
  return (
    <>
      <div
        ref={divider}
        className="swipe-divider"
        role="slider"
        tabIndex={0}
        aria-label={t('swipe.divider')}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={t('swipe.value', { percent, left: left === undefined ? '' : titleOf(left) })}
        style={{ left: `${swipe.at * 100}%` }}
        onKeyDown={(event) => {
          const step = STEPS[event.key];
          if (step === undefined) return;
          event.preventDefault();
          put(swipe.at + step);
        }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          isDragged.current = true;
        }}
        onPointerMove={(event) => {
          const box = divider.current?.parentElement?.getBoundingClientRect();
          if (isDragged.current && box !== undefined) put((event.clientX - box.left) / box.width);
        }}
        onPointerUp={() => {
          isDragged.current = false;
        }}
        onPointerCancel={() => {
          isDragged.current = false;
        }}
      >
        <span className="swipe-grip" aria-hidden="true" />
      </div>
      <section className="swipe-bar" aria-label={t('swipe.title')}>
        {choice('left')}
        {choice('right')}
        <IconButton small icon="close" name={t('swipe.close')} onClick={onClose} />
      </section>
    </>
  );
}
