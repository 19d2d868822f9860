import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { readRollbacks, type RollbackCount, RollbackCounts, rollbackHash } from './rollback-counts.js';

const BUNDLE = '0190e6d4-3a5b-7c11-9d2e-5f60718293a4';
const key = (deviceId: string): bigint => rollbackHash(deviceId, BUNDLE, '10');
const NEVER: RollbackCount = { consecutive: 0, all: 0 };
const ONCE: RollbackCount = { consecutive: 1, all: 1 };

describe('RollbackCounts', () => {
  it('finds the count of a device, a bundle and a native version, and of no other', () => {
    const counts = new RollbackCounts();
    expect(counts.of('a', BUNDLE, '10')).toEqual(NEVER);
    counts.set(key('a'), ONCE);
    for (const count of [
      { consecutive: 2, all: 999 },
      { consecutive: 999, all: 999 },
      { consecutive: 0, all: 1 },
    ]) {
      counts.set(key('a'), count);
      expect(counts.of('a', BUNDLE, '10')).toEqual(count);
    }
    expect(counts.of('A', BUNDLE, '10')).toEqual(NEVER);
    expect(counts.of('a', BUNDLE, '11')).toEqual(NEVER);
    expect(counts.of('a', BUNDLE.replace('0', '1'), '10')).toEqual(NEVER);
    expect(counts.of(null, BUNDLE, '10')).toEqual(NEVER);
    counts.set(key('a'), NEVER);
    expect(counts.of('a', BUNDLE, '10')).toEqual(NEVER);
    expect(counts.bytes).toBe(0);
  });

  it('forgets the oldest when there are too many', () => {
    const counts = new RollbackCounts(3);
    for (const id of ['a', 'b', 'c', 'a', 'd']) counts.set(key(id), ONCE);
    expect(['a', 'b', 'c', 'd'].map((id) => counts.of(id, BUNDLE, '10').all)).toEqual([1, 0, 1, 1]);
  });

  it('reads what is loaded, oldest first', () => {
    const bytes = Buffer.alloc(24);
    bytes.writeBigUInt64BE(key('a'), 0);
    bytes.writeUInt16BE(2, 8);
    bytes.writeUInt16BE(999, 10);
    bytes.writeBigUInt64BE(key('b'), 12);
    bytes.writeUInt16BE(0, 20);
    bytes.writeUInt16BE(1, 22);
    const counts = RollbackCounts.fromLoaded(bytes);
    expect(['a', 'b', 'c'].map((id) => counts.of(id, BUNDLE, '10'))).toEqual([
      { consecutive: 2, all: 999 },
      { consecutive: 0, all: 1 },
      NEVER,
    ]);
    expect(RollbackCounts.fromLoaded(null).bytes).toBe(0);
  });

  it('reads what the version before announces, while servers are being updated', () => {
    expect(readRollbacks('app 0000000000000001:2').changes).toEqual([
      { hash: 1n, count: { consecutive: 2, all: 2 } },
    ]);
  });

  it('reads what is announced', () => {
    expect(readRollbacks('app ffffffffffffffff:2:5 0000000000000001:0:0')).toEqual({
      appId: 'app',
      changes: [
        { hash: 2n ** 64n - 1n, count: { consecutive: 2, all: 5 } },
        { hash: 1n, count: NEVER },
      ],
    });
  });
});

describe('rollbackHash', () => {
  it('keeps the version and the device apart', () => {
    const text = fc.string({ unit: fc.constantFrom('1', '/', 'é'), maxLength: 4 });
    fc.assert(
      fc.property(text, text, text, text, (version, device, otherVersion, otherDevice) => {
        fc.pre(version !== otherVersion || device !== otherDevice);
        expect(rollbackHash(device, BUNDLE, version)).not.toBe(
          rollbackHash(otherDevice, BUNDLE, otherVersion),
        );
      }),
    );
  });

  it('is the beginning of a SHA-256', () => {
    const digest = createHash('sha256').update(`${BUNDLE}/2/10/a`).digest();
    expect(key('a')).toBe(digest.readBigUInt64BE());
  });
});
