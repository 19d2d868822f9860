import { booleanArray, doubleArray, integerArray, textArray } from '../../../src/database/binary-array.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

const texts = ['a', '', null, 'Grüße "{\\,}" 👋', 'x'.repeat(70_000)];
const integers = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];

it.each([
  ['text[]', textArray(texts), texts],
  ['text[]', textArray([]), []],
  ['integer[]', integerArray(integers), integers],
  ['integer[]', integerArray([]), []],
  ['double precision[]', doubleArray([0, 1.5, -2.25, 1e300]), [0, 1.5, -2.25, 1e300]],
  ['boolean[]', booleanArray([true, false]), [true, false]],
])('PostgreSQL takes a %s in binary form', async (type, array, values) => {
  const rows = await query(testEnvironment().databaseUrl, `SELECT $1::${type} AS values`, [array]);
  expect(rows).toEqual([{ values }]);
});
