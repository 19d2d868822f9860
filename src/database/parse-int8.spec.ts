import { parseInt8 } from './schema/data-source-options.js';

it.each(['0', '-1', '42', '9007199254740991', '-9007199254740991'])('reads %s as a number', (text) => {
  expect(parseInt8(text)).toBe(Number(text));
});

it.each(['9007199254740992', '9007199254740993', '4611686018427387905', '-9223372036854775808'])(
  'reads %s exactly, as a bigint',
  (text) => {
    expect(parseInt8(text)).toBe(BigInt(text));
  },
);
