// The second map of a swipe: lies on the first, follows it, and is cut off at the divider. It hears nothing: clicks go through to the first.

import { Map as GlMap, type StyleSpecification } from 'maplibre-gl';
import { tellOrigin } from './tell-origin.ts';
import { tellStyle } from './tell-style.ts';

export type SwipeMap = {
  readonly map: GlMap;
  /** Part of the width, from the left, that the first map keeps. */
  cut(at: number): void;
  draw(style: StyleSpecification): void;
  end(): void;
};

export function startSwipeMap(first: GlMap, style: StyleSpecification, at: number): SwipeMap {
  const container = document.createElement('div');
  container.className = 'swipe-map';
  container.setAttribute('aria-hidden', 'true');
  // Above the first map's picture, below its buttons.
  first.getCanvasContainer().append(container);
  const cut = (to: number): void => {
    container.style.clipPath = `inset(0 0 0 ${Math.min(100, Math.max(0, to * 100))}%)`;
  };
  cut(at);
  const map = new GlMap({
    transformRequest: tellOrigin,
    container,
    style,
    center: first.getCenter(),
    zoom: first.getZoom(),
    interactive: false,
    attributionControl: false,
    maxPitch: 0,
    fadeDuration: 0,
    canvasContextAttributes: { antialias: window.devicePixelRatio < 2 },
  });
  map.getCanvas().setAttribute('tabindex', '-1');
  let told = style;
  let wanted = style;
  let isStyled = false;
  const tell = (): void => {
    if (!isStyled || told === wanted) return;
    told = wanted;
    tellStyle(map, wanted, { diff: true });
  };
  map.on('style.load', () => {
    isStyled = true;
    tell();
  });
  map.on('error', ({ error }) => console.debug('map:', error.message));
  map.on('idle', () => container.setAttribute('data-idle', 'true'));
  const follow = (): void => {
    map.jumpTo({ center: first.getCenter(), zoom: first.getZoom() });
  };
  first.on('move', follow);
  return {
    map,
    cut,
    draw(next) {
      wanted = next;
      tell();
    },
    end() {
      first.off('move', follow);
      map.remove();
      container.remove();
    },
  };
}
