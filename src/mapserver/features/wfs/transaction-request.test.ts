import { expect, test } from 'vitest';
import { parseXml } from '../../../geo/style/xml-tree.ts';
import { parseActions } from './transaction-request.ts';
import { elements } from './xml-elements.ts';

function actions(xml: string) {
  const root = parseXml(`<wfs:Transaction>${xml}</wfs:Transaction>`);
  if (!root.ok) throw new Error(root.error.message);
  return parseActions(elements(root.value));
}
const FILTER = '<fes:Filter><fes:ResourceId rid="a.1"/></fes:Filter>';
const PROPERTY = '<wfs:Property><wfs:ValueReference> name </wfs:ValueReference><wfs:Value>x</wfs:Value></wfs:Property>';

test('what is to be done comes in its order, each feature that is inserted as an action', () => {
  const read = actions(`<wfs:Insert handle="h" srsName="EPSG:25832"><a:places/><a:places/></wfs:Insert>
    <wfs:Insert><wfs:FeatureCollection><gml:boundedBy/><gml:featureMember><a:one/></gml:featureMember>
      <wfs:member><a:two/></wfs:member><gml:featureMembers><a:three/><a:four/></gml:featureMembers></wfs:FeatureCollection></wfs:Insert>
    <wfs:Update typeName="places">${PROPERTY}<wfs:Property><wfs:Name>note</wfs:Name></wfs:Property>${FILTER}</wfs:Update>
    <wfs:Replace>${FILTER}<a:places/></wfs:Replace><wfs:Delete typeName="places">${FILTER}</wfs:Delete>
    <wfs:Native safeToIgnore="true"/>`);
  expect(read).toMatchObject({
    ok: true,
    value: [
      { kind: 'insert', handle: 'h', srsName: 'EPSG:25832', feature: { name: 'places' } },
      { kind: 'insert', handle: 'h', feature: { name: 'places' } },
      ...['one', 'two', 'three', 'four'].map((name) => ({ kind: 'insert', handle: undefined, feature: { name } })),
      {
        kind: 'update',
        typeName: 'places',
        properties: [
          { path: 'name', value: { children: ['x'] } },
          { path: 'note', value: undefined },
        ],
        filter: { name: 'Filter' },
      },
      { kind: 'replace', feature: { name: 'places' }, filter: { name: 'Filter' } },
      { kind: 'delete', typeName: 'places', filter: { name: 'Filter' } },
    ],
  });
  // Everything of a type may be changed, though not deleted, without a filter.
  expect(actions(`<Update typeName="places">${PROPERTY}</Update>`)).toMatchObject({ value: [{ filter: undefined }] });
});

test.each([
  ['<Insert idgen="UseExisting"><a/></Insert>', 'OptionNotSupported', 'idgen'],
  [`<Update>${PROPERTY}</Update>`, 'MissingParameterValue', 'typeName'],
  [`<Update typeName="a">${FILTER}</Update>`, 'MissingParameterValue', 'Property'],
  ['<Update typeName="a"><Property><Value/></Property></Update>', 'MissingParameterValue', 'ValueReference'],
  ['<Replace><a/></Replace>', 'MissingParameterValue', 'Replace'],
  [`<Replace>${FILTER}</Replace>`, 'MissingParameterValue', 'Replace'],
  [`<Delete>${FILTER}</Delete>`, 'MissingParameterValue', 'typeName'],
  ['<Delete typeName="a"/>', 'MissingParameterValue', 'Filter'],
  ['<Native/>', 'OptionNotSupported', 'Native'],
  ['<LockId/>', 'OptionNotSupported', 'LockId'],
  ['<Drop/>', 'OperationParsingFailed', 'Drop'],
])('%s is refused', (xml, code, locator) => {
  expect(actions(xml)).toMatchObject({ ok: false, error: { code, locator } });
});

test('five thousand features are as many as one transaction has', () => {
  const many = (count: number) => actions(`<Insert>${'<a/>'.repeat(count)}</Insert>`).ok;
  expect([many(5000), many(5001)]).toEqual([true, false]);
});
