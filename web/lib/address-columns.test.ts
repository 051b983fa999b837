import { expect, test } from 'vitest';
import { addressColumns } from './address-columns.ts';

test.each([
  [
    ['id', 'Straße', 'Hausnummer', 'PLZ', 'Ort', 'Land'],
    { street: 'Straße', number: 'Hausnummer', postcode: 'PLZ', city: 'Ort', country: 'Land' },
  ],
  [['rue', 'code_postal', 'Ville'], { street: 'rue', postcode: 'code_postal', city: 'Ville' }],
  [['name', 'Dirección', 'País', 'ciudad'], { address: 'Dirección', country: 'País' }],
  [['street', 'address'], { street: 'street' }],
  [['width', 'height'], {}],
])('%j are parts of an address as %j', (columns, parts) => {
  expect(addressColumns(columns)).toEqual(parts);
});
