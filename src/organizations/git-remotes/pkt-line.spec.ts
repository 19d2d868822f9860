import fc from 'fast-check';
import { DELIMITER, FLUSH, packet, parsePackets } from './pkt-line.js';

it('reads what it writes', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    .filter((each) => !each.endsWith('\n'));
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const bytes = Buffer.from(`${texts.map((each) => packet(`${each}\n`)).join(DELIMITER)}${FLUSH}`);
      expect(parsePackets(bytes).filter((each) => each !== null)).toEqual(texts);
    }),
  );
});

it.each(['<!doctype html>', '00', '0003', '0010abc', 'ffff', '+004', '0x04', '-001'])(
  'refuses %j',
  (text) => {
    expect(() => parsePackets(Buffer.from(text))).toThrow(RangeError);
  },
);

it('never fails in another way', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      try {
        parsePackets(Buffer.from(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});
