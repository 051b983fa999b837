// What a Transaction did, as each version of the service says it. Pure.

import type { VectorLayer } from '../../../layer-ports/layer.ts';
import { escapeXml } from '../../xml-text.ts';
import { DIALECTS, type Dialect, namesOf } from './wfs-dialect.ts';
import { featureId, HEAD } from './wfs-documents.ts';
import type { WfsVersion } from './wfs-version.ts';

export type Done = {
  readonly kind: 'insert' | 'update' | 'replace' | 'delete';
  readonly handle: string | undefined;
  readonly layer: VectorLayer;
  /** Of the features that it was done to. */
  readonly keys: readonly string[];
};

export function transactionResponse(version: WfsVersion, done: readonly Done[]): string {
  const dialect = DIALECTS[version];
  const total = (kind: Done['kind']): number =>
    done.reduce((sum, one) => (one.kind === kind ? sum + one.keys.length : sum), 0);
  const inserted = done.filter(({ kind }) => kind === 'insert');
  const open = (name: string): string => `${HEAD}<wfs:${name} ${namesOf(dialect)} version="${version}">`;
  if (version === '1.0.0') {
    const results = groupsOf(inserted).map(
      ([handle, group]) => `<wfs:InsertResult${attribute(handle)}>${idsOf(dialect, group)}</wfs:InsertResult>`,
    );
    return `${open('WFS_TransactionResponse')}${results.join('')}<wfs:TransactionResult><wfs:Status><wfs:SUCCESS/></wfs:Status></wfs:TransactionResult></wfs:WFS_TransactionResponse>\n`;
  }
  const summary = [
    `<wfs:totalInserted>${total('insert')}</wfs:totalInserted>`,
    // 1.1 has no Replace; one that is asked for is an update.
    `<wfs:totalUpdated>${total('update') + (version === '1.1.0' ? total('replace') : 0)}</wfs:totalUpdated>`,
    ...(version === '2.0.0' ? [`<wfs:totalReplaced>${total('replace')}</wfs:totalReplaced>`] : []),
    `<wfs:totalDeleted>${total('delete')}</wfs:totalDeleted>`,
  ];
  const results = (name: string, of: readonly Done[]): string =>
    of.length === 0 ? '' : `<wfs:${name}>${of.map((one) => featuresOf(dialect, one)).join('')}</wfs:${name}>`;
  const replaced =
    version === '2.0.0'
      ? results(
          'ReplaceResults',
          done.filter(({ kind, keys }) => kind === 'replace' && keys.length > 0),
        )
      : '';
  return `${open('TransactionResponse')}<wfs:TransactionSummary>${summary.join('')}</wfs:TransactionSummary>${results('InsertResults', inserted)}${replaced}</wfs:TransactionResponse>\n`;
}

/** Features that came in one Insert have one result, in 1.0; without handles they cannot be told apart, and need not be. */
function groupsOf(inserted: readonly Done[]): readonly (readonly [string | undefined, readonly Done[]])[] {
  const groups = new Map<string | undefined, Done[]>();
  for (const one of inserted) {
    const group = groups.get(one.handle);
    if (group === undefined) groups.set(one.handle, [one]);
    else group.push(one);
  }
  return [...groups];
}

function idsOf(dialect: Dialect, done: readonly Done[]): string {
  return done.flatMap(({ layer, keys }) => keys.map((key) => idOf(dialect, layer, key))).join('');
}

function featuresOf(dialect: Dialect, { handle, layer, keys }: Done): string {
  return keys.map((key) => `<wfs:Feature${attribute(handle)}>${idOf(dialect, layer, key)}</wfs:Feature>`).join('');
}

function idOf({ version, filterPrefix }: Dialect, layer: VectorLayer, key: string): string {
  const id = escapeXml(featureId(layer, key));
  return version === '2.0.0' ? `<${filterPrefix}:ResourceId rid="${id}"/>` : `<${filterPrefix}:FeatureId fid="${id}"/>`;
}

function attribute(handle: string | undefined): string {
  return handle === undefined ? '' : ` handle="${escapeXml(handle)}"`;
}
