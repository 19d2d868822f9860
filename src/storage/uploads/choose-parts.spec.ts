import fc from 'fast-check';
import { chooseParts } from './uploads.service.js';

const stored = ['a', 'b', 'c'].map((sha256, index) => ({ partNumber: index + 1, sha256 }));
const wanted = stored.map(({ partNumber, sha256 }) => ({ partNumber, etag: sha256 }));

it('sorts the parts by their numbers', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(wanted), (parts) => {
      const numbers = chooseParts(parts, stored).map(({ partNumber }) => partNumber);
      expect(numbers).toEqual(parts.map(({ partNumber }) => partNumber).toSorted((a, b) => a - b));
    }),
  );
});

it.each([
  ['is listed twice', [...wanted, wanted[1]!]],
  ['was not uploaded with this etag', [{ partNumber: 1, etag: 'b' }]],
  ['was not uploaded with this etag', [...wanted, { partNumber: 4, etag: 'd' }]],
])('refuses a part that %s', (message, parts) => {
  expect(() => chooseParts(parts, stored)).toThrow(message);
});
