import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { readRollbacks, RollbackCounts, rollbackHash } from './rollback-counts.js';

const BUNDLE = '0190e6d4-3a5b-7c11-9d2e-5f60718293a4';
const key = (deviceId: string): bigint => rollbackHash(deviceId, BUNDLE, '10');

describe('RollbackCounts', () => {
  it('finds the count of a device, a bundle and a native version, and of no other', () => {
    const counts = new RollbackCounts();
    expect(counts.of('a', BUNDLE, '10')).toBe(0);
    counts.set(key('a'), 1);
    counts.set(key('a'), 2);
    expect(counts.of('a', BUNDLE, '10')).toBe(2);
    expect(counts.of('A', BUNDLE, '10')).toBe(0);
    expect(counts.of('a', BUNDLE, '11')).toBe(0);
    expect(counts.of('a', BUNDLE.replace('0', '1'), '10')).toBe(0);
    expect(counts.of(null, BUNDLE, '10')).toBe(0);
    counts.set(key('a'), 0);
    expect(counts.of('a', BUNDLE, '10')).toBe(0);
    expect(counts.bytes).toBe(0);
  });

  it('forgets the oldest when there are too many', () => {
    const counts = new RollbackCounts(3);
    for (const id of ['a', 'b', 'c', 'a', 'd']) counts.set(key(id), 1);
    expect(['a', 'b', 'c', 'd'].map((id) => counts.of(id, BUNDLE, '10'))).toEqual([1, 0, 1, 1]);
  });

  it('reads what is loaded, oldest first', () => {
    const bytes = Buffer.alloc(20);
    bytes.writeBigUInt64BE(key('a'), 0);
    bytes.writeUInt16BE(999, 8);
    bytes.writeBigUInt64BE(key('b'), 10);
    bytes.writeUInt16BE(1, 18);
    const counts = RollbackCounts.fromLoaded(bytes);
    expect(['a', 'b', 'c'].map((id) => counts.of(id, BUNDLE, '10'))).toEqual([999, 1, 0]);
    expect(RollbackCounts.fromLoaded(null).bytes).toBe(0);
  });

  it('reads what is announced', () => {
    expect(readRollbacks('app ffffffffffffffff:2 0000000000000001:0')).toEqual({
      appId: 'app',
      changes: [
        { hash: 2n ** 64n - 1n, count: 2 },
        { hash: 1n, count: 0 },
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
