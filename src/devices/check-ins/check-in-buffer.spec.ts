import fc from 'fast-check';
import { type CheckIn, deviceIdOf } from './check-in.js';
import { CheckInBuffer } from './check-in-buffer.js';
import { anyCharacter } from '../../../test/support/any-character.js';

const connection = { remoteAddress: '', forwardedFor: null, trusts: () => false };

function add(buffer: CheckInBuffer, deviceId: string, state = '', customId = '', seenAt = 0): void {
  buffer.add({ appId: 'app', json: state }, deviceId, customId, seenAt, connection);
}

/** Takes everything out, in batches. */
function drain(buffer: CheckInBuffer, size: number): CheckIn[][] {
  const batches: CheckIn[][] = [];
  while (buffer.size > 0) batches.push(buffer.take(size));
  return batches;
}

const idsOf = (checkIns: readonly CheckIn[]): string[] => checkIns.map(deviceIdOf);

describe('CheckInBuffer', () => {
  it('keeps one check-in of a device in one state, the last', () => {
    const buffer = new CheckInBuffer(100);
    for (let time = 1; time <= 5; time++) add(buffer, 'a', '', '', time);
    expect(buffer.size).toBe(1);
    expect(drain(buffer, 10)).toMatchObject([[{ seenAt: 5 }]]);
  });

  it('keeps a check-in with another custom id', () => {
    const buffer = new CheckInBuffer(100);
    for (const customId of ['', 'Ada', 'Ada', 'Grace']) add(buffer, 'a', '', customId);
    expect(drain(buffer, 10).map(([only]) => only?.customId)).toEqual([null, 'Ada', 'Grace']);
  });

  it('keeps devices of different apps apart that have the same id', () => {
    const buffer = new CheckInBuffer(100);
    for (const appId of ['one', 'other', 'one']) buffer.add({ appId, json: '' }, 'a', '', 0, connection);
    expect(buffer.take(10).map(({ state }) => state.appId)).toEqual(['one', 'other']);
  });

  it('returns ids unchanged', () => {
    const id = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 255 });
    const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(ids, fc.string({ maxLength: 255 }), (deviceIds, customId) => {
        const buffer = new CheckInBuffer(1000);
        for (const deviceId of deviceIds) add(buffer, deviceId, '', customId);
        const taken = buffer.take(1000);
        expect(idsOf(taken)).toEqual(deviceIds);
        for (const checkIn of taken) expect(checkIn.customId).toBe(customId || null);
      }),
    );
  });

  it('keeps every change of a device, in order, never two of them in one batch', () => {
    const step = fc.record({
      device: fc.constantFrom('a', 'b', 'c'),
      state: fc.constantFrom('1', '2', '3'),
      /** How many are taken out afterwards, at most. */
      taken: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, size) => {
        const buffer = new CheckInBuffer(70);
        const waiting: Record<string, string[]> = { a: [], b: [], c: [] };
        const check = (batch: readonly CheckIn[]): void => {
          expect(new Set(idsOf(batch)).size).toBe(batch.length);
          for (const checkIn of batch) expect(waiting[deviceIdOf(checkIn)]?.shift()).toBe(checkIn.state.json);
        };
        for (const { device, state, taken } of steps) {
          add(buffer, device, state);
          if (waiting[device]?.at(-1) !== state) waiting[device]?.push(state);
          if (taken > 0) check(buffer.take(taken));
        }
        while (buffer.size > 0) check(buffer.take(size));
        expect(waiting).toEqual({ a: [], b: [], c: [] });
      }),
    );
  });

  it('never grows beyond its capacity, and drops duplicates first', () => {
    const buffer = new CheckInBuffer(10);
    for (const id of ['k1', 'k2', 'k3']) add(buffer, id);
    buffer.take(3);
    for (let n = 0; n < 5; n++) add(buffer, `new ${n}`);
    for (const id of ['k1', 'k2', 'k3']) add(buffer, id);
    expect(buffer.takeDropped()).toEqual({ duplicates: 3, changes: 0 });
    add(buffer, 'k1', 'another state');
    for (let n = 5; n < 20; n++) add(buffer, `new ${n}`);
    expect(buffer.size).toBe(10);
    expect(buffer.takeDropped()).toEqual({ duplicates: 0, changes: 11 });
    expect(buffer.takeDropped()).toEqual({ duplicates: 0, changes: 0 });
    expect(idsOf(drain(buffer, 100).flat())).toContain('k1');
  });

  it('accepts duplicates of written check-ins while at least half of it is free', () => {
    const buffer = new CheckInBuffer(10);
    add(buffer, 'a');
    buffer.take(1);
    add(buffer, 'a');
    expect(idsOf(buffer.take(10))).toEqual(['a']);
  });

  it('recognizes duplicates of the check-ins that were taken last, as many as its capacity', () => {
    const buffer = new CheckInBuffer(4);
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      add(buffer, id);
      buffer.take(1);
    }
    for (const id of ['x', 'y']) add(buffer, id);
    for (const id of ['e', 'd', 'c', 'b', 'a']) add(buffer, id);
    expect(buffer.takeDropped()).toEqual({ duplicates: 4, changes: 0 });
    expect(idsOf(buffer.take(9))).toEqual(['x', 'y', 'a']);
  });

  it('does not change a check-in that was taken', () => {
    const buffer = new CheckInBuffer(4);
    add(buffer, 'a', '', '', 1);
    const taken = buffer.take(1);
    add(buffer, 'a', '', '', 2);
    expect(taken).toMatchObject([{ seenAt: 1 }]);
    expect(buffer.take(1)).toMatchObject([{ seenAt: 2 }]);
  });

  it('holds fewer check-ins when ids are long', () => {
    const buffer = new CheckInBuffer(100);
    for (let n = 0; n < 100; n++) add(buffer, `${n}`.padEnd(255, 'x'));
    expect(buffer.takeDropped()).toEqual({ duplicates: 0, changes: 50 });
    expect(idsOf(buffer.take(100))).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(255, 'x')));
    add(buffer, 'after that');
    expect(idsOf(buffer.take(100))).toEqual(['after that']);
  });

  it('keeps 255 check-ins of a device that never reports the same state twice', () => {
    const buffer = new CheckInBuffer(1000);
    for (let n = 0; n < 900; n++) add(buffer, 'a', `${n}`);
    for (let n = 0; n < 100; n++) add(buffer, `other ${n}`);
    expect(buffer.takeDropped()).toEqual({ duplicates: 0, changes: 645 });
    expect(buffer.take(1000)).toHaveLength(101);
    expect(drain(buffer, 1000)).toHaveLength(254);
  });
});
