// The legend of a printed map: a box in its lower left corner that says what stands for what.

import { isFaintSign, type LegendEntry, type MapSymbol, signDashes } from '../../lib/legend.ts';

export type PrintedLegend = {
  readonly title: string;
  readonly entries: readonly LegendEntry[];
  /** What has to be said of how the layer is shown. */
  readonly notes: readonly string[];
};

const MAX_LINES = 24;

type Line =
  | { readonly kind: 'title' | 'note'; readonly text: string }
  | { readonly kind: 'entry'; readonly text: string; readonly entry: LegendEntry };

/** `bottom` is where the box ends; `scale` how many pixels one of the page is. */
export function drawLegend(
  ink: CanvasRenderingContext2D,
  legends: readonly PrintedLegend[],
  at: { readonly left: number; readonly bottom: number; readonly scale: number; readonly land: string },
): void {
  const { left, bottom, scale, land } = at;
  const lines = linesOf(legends).slice(0, MAX_LINES);
  if (lines.length === 0) return;
  const [row, pad, sign] = [19 * scale, 10 * scale, 26 * scale];
  const font = (kind: Line['kind']): string =>
    `${kind === 'title' ? '600' : kind === 'note' ? 'italic 400' : '400'} ${(kind === 'note' ? 11 : 12) * scale}px sans-serif`;
  const widths = lines.map(({ kind, text }) => {
    ink.font = font(kind);
    return ink.measureText(text).width + (kind === 'entry' ? sign : 0);
  });
  const [width, height] = [Math.max(...widths) + 2 * pad, lines.length * row + 2 * pad];
  const top = bottom - height;
  ink.fillStyle = 'rgb(255 255 255 / 0.9)';
  ink.fillRect(left, top, width, height);
  ink.strokeStyle = '#8d8979';
  ink.lineWidth = scale;
  ink.strokeRect(left, top, width, height);
  lines.forEach((line, i) => {
    const middle = top + pad + (i + 0.5) * row;
    if (line.kind === 'entry') {
      ink.fillStyle = land;
      ink.fillRect(left + pad - scale, middle - 7 * scale, 20 * scale, 14 * scale);
      drawSign(ink, line.entry, { x: left + pad, y: middle, scale });
      if (line.entry.symbol.shape !== 'line' && isFaintSign(line.entry.symbol, land.trim())) {
        ink.strokeStyle = '#8d8979';
        ink.lineWidth = 0.75 * scale;
        ink.strokeRect(left + pad - scale, middle - 7 * scale, 20 * scale, 14 * scale);
      }
    }
    ink.fillStyle = '#18211f';
    ink.font = font(line.kind);
    ink.textBaseline = 'middle';
    ink.fillText(line.text, left + pad + (line.kind === 'entry' ? sign : 0), middle);
  });
}

/** A layer with one symbol needs one line, one with classes a title above them. */
function linesOf(legends: readonly PrintedLegend[]): readonly Line[] {
  return legends.flatMap(({ title, entries, notes }): readonly Line[] => {
    const said = notes.map((text): Line => ({ kind: 'note', text }));
    const [only, ...others] = entries;
    if (only === undefined) return [{ kind: 'title', text: title }, ...said];
    if (others.length === 0) return [{ kind: 'entry', text: title, entry: only }, ...said];
    return [
      { kind: 'title', text: only.attribute === undefined ? title : `${title}: ${only.attribute}` },
      ...entries.flatMap((entry, i): readonly Line[] => [
        ...headingOf(entry, entries[i - 1]),
        { kind: 'entry', text: entry.label, entry },
      ]),
      ...said,
    ];
  });
}

/** What is told next: sizes after colours. The first is told beside the title. */
function headingOf({ attribute }: LegendEntry, before: LegendEntry | undefined): readonly Line[] {
  return before === undefined || attribute === undefined || attribute === before.attribute
    ? []
    : [{ kind: 'title', text: attribute }];
}

function drawSign(
  ink: CanvasRenderingContext2D,
  { symbol }: LegendEntry,
  { x, y, scale }: { readonly x: number; readonly y: number; readonly scale: number },
): void {
  ink.beginPath();
  if (symbol.shape === 'line') {
    ink.moveTo(x, y);
    ink.lineTo(x + 18 * scale, y);
    ink.globalAlpha = symbol.opacity ?? 1;
    ink.strokeStyle = symbol.colour;
    ink.lineWidth = Math.min(4, symbol.size ?? 2) * scale;
    ink.setLineDash([...signDashes(symbol.dash ?? [], ink.lineWidth, 18 * scale)]);
    ink.stroke();
    ink.setLineDash([]);
    ink.globalAlpha = 1;
    return;
  }
  if (symbol.path !== undefined) {
    const radius = symbol.isSized === true ? Math.min(7, symbol.size ?? 7) : 7;
    const size = (2 * radius * scale) / 24;
    ink.save();
    ink.translate(x + (9 - radius) * scale, y - radius * scale);
    ink.scale(size, size);
    ink.fillStyle = symbol.colour;
    ink.globalAlpha = symbol.opacity ?? 1;
    ink.fill(new Path2D(symbol.path), 'evenodd');
    ink.restore();
    return;
  }
  if (symbol.shape === 'circle') ink.arc(x + 9 * scale, y, radiusOf(symbol) * scale, 0, 2 * Math.PI);
  else ink.rect(x, y - 6 * scale, 18 * scale, 12 * scale);
  ink.fillStyle = symbol.colour;
  ink.globalAlpha = symbol.opacity ?? 1;
  ink.fill();
  ink.globalAlpha = 1;
  if (symbol.outline === undefined) return;
  ink.strokeStyle = symbol.outline;
  ink.globalAlpha = symbol.outlineOpacity ?? 1;
  ink.lineWidth = scale;
  ink.stroke();
  ink.globalAlpha = 1;
}

/** Of a circle: what fits into a line of the legend. */
function radiusOf({ size = 5, isSized = false }: MapSymbol): number {
  return Math.min(7, Math.max(isSized ? 1 : 3, size));
}
