import fc from 'fast-check';
import { DELIMITER, FLUSH, packet, readPackets } from './pkt-line.js';

/** The packets of an answer that arrives in pieces. @param size bytes of each piece */
async function packetsOf(answer: Buffer, size = answer.length): Promise<(string | null)[]> {
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let start = 0; start < answer.length; start += size) yield answer.subarray(start, start + size);
  }
  const packets: (string | null)[] = [];
  await readPackets(pieces(), (text) => packets.push(text));
  return packets;
}

it('reads what it writes, however it arrives', async () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    .filter((each) => !each.endsWith('\n'));
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.integer({ min: 1, max: 300 }), async (texts, size) => {
      const answer = Buffer.from(`${texts.map((each) => packet(`${each}\n`)).join(DELIMITER)}${FLUSH}`);
      expect((await packetsOf(answer, size)).filter((each) => each !== null)).toEqual(texts);
    }),
  );
});

it('tells empty packets from marks', async () => {
  expect(await packetsOf(Buffer.from('0004000000010002'))).toEqual(['', null, null, null]);
});

it.each(['<!doctype html>', '00', '0003', '0010abc', 'ffff', '+004', '0x04', '-001'])(
  'refuses %j',
  async (text) => {
    for (const size of [1, 3, 100]) {
      await expect(packetsOf(Buffer.from(text), size)).rejects.toThrow(RangeError);
    }
  },
);

it('never fails in another way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
      const error: unknown = await packetsOf(Buffer.from(bytes)).catch((reason: unknown) => reason);
      expect(error instanceof RangeError || Array.isArray(error)).toBe(true);
    }),
  );
});

it('serves others while it reads one large piece', async () => {
  let turns = 0;
  const count = (): void => {
    turns++;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  expect(await packetsOf(Buffer.from(FLUSH.repeat(100_000)))).toHaveLength(100_000);
  clearImmediate(turn);
  expect(turns).toBeGreaterThanOrEqual(100);
});
