// What of a map follows from the viewer's configuration that is sent with it, as clients of MapStore and geonodectl send it: its view, where the body
// has no fields for it, and its layers.

import { err, ok, type Result } from '../../../kernel/result.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { Field } from '../../fields/field.ts';
import { isMembers, type Members } from '../../operations/write/body-forms.ts';
import { type Draft, type Given, givenField, givenText, withValues } from '../../operations/write/draft.ts';
import { LAYERS } from './map-layers.ts';
import { parseMaplayers } from './maplayers.ts';
import { layersOf, mapOf, viewOf } from './viewer-map.ts';

/** The element with `zoom`, `projection` and the centre where it names none of its own and the configuration says what they are. */
export function withViewOfConfig(element: Members): Members {
  const config = configOf(element['data']) ?? configOf(element['blob']);
  if (config === undefined) return element;
  const map = mapOf(config);
  const { center, zoom } = map;
  if (!isMembers(center) || !isNumber(center['x']) || !isNumber(center['y']) || !isNumber(zoom)) return element;
  return { ...viewOf(map), ...element };
}

/** JSON, or JSON as text; what it is not, its field says. */
function configOf(value: unknown): Members | undefined {
  if (typeof value !== 'string') return isMembers(value) ? value : undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isMembers(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isNumber(value: unknown): boolean {
  return (
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
  );
}

/** A configuration with layers says which ones the map has; else `maplayers` does. */
export function withLayersOfConfig(draft: Draft): Result<Draft, PortalError> {
  const changes = new Map<Field, Given | undefined>();
  const listed = givenField(draft, 'maplayers');
  for (const name of ['data', 'blob']) {
    const text = givenText(draft, name);
    if (typeof text !== 'string') continue;
    const map = mapOf(JSON.parse(text));
    if (map['layers'] === undefined) continue;
    const layers = layersOf(map);
    if (typeof layers === 'string') return wrong(name, layers);
    changes.set(LAYERS, { kind: 'value', text: JSON.stringify(layers) });
    if (listed !== undefined) changes.set(listed, undefined);
    return ok(withValues(draft, changes));
  }
  const text = givenText(draft, 'maplayers');
  if (listed === undefined || typeof text !== 'string') return ok(draft);
  const layers = parseMaplayers(JSON.parse(text));
  if (typeof layers === 'string') return wrong('maplayers', layers);
  changes.set(listed, { kind: 'value', text: JSON.stringify(layers) });
  return ok(withValues(draft, changes));
}

function wrong(field: string, message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { [field]: [message] } });
}
