import fc from 'fast-check';
import type { CheckIn } from './check-in.js';
import { CheckInBuffer } from './check-in-buffer.js';

function see(buffer: CheckInBuffer, deviceId: string, state = '', customId = '', seenAt = 0): void {
  buffer.add({ appId: 'app', json: state }, deviceId, customId, seenAt);
}

function take(buffer: CheckInBuffer, max: number): CheckIn[] {
  const taken = buffer.take(max).map((slot) => buffer.at(slot));
  buffer.release();
  return taken;
}

/** Takes everything out, in batches. */
function drain(buffer: CheckInBuffer, size: number): CheckIn[][] {
  const batches: CheckIn[][] = [];
  while (buffer.size > 0) batches.push(take(buffer, size));
  return batches;
}

const idsOf = (sightings: readonly CheckIn[]): string[] => sightings.map(({ deviceId }) => deviceId);

describe('CheckInBuffer', () => {
  it('keeps one sighting of a device in one state, the last', () => {
    const buffer = new CheckInBuffer(100);
    for (let time = 1; time <= 5; time++) see(buffer, 'a', '', '', time);
    expect(buffer.size).toBe(1);
    expect(drain(buffer, 10)).toMatchObject([[{ seenAt: 5 }]]);
  });

  it('keeps a sighting with another custom id', () => {
    const buffer = new CheckInBuffer(100);
    for (const customId of ['', 'Ada', 'Ada', 'Grace']) see(buffer, 'a', '', customId);
    expect(drain(buffer, 10).map(([only]) => only?.customId)).toEqual([null, 'Ada', 'Grace']);
  });

  it('keeps devices of different apps apart that have one id', () => {
    const buffer = new CheckInBuffer(100);
    for (const appId of ['one', 'other', 'one']) buffer.add({ appId, json: '' }, 'a', '', 0);
    expect(take(buffer, 10).map(({ state }) => state.appId)).toEqual(['one', 'other']);
  });

  it('gives ids back as they came', () => {
    const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 255 });
    const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(ids, fc.string({ maxLength: 255 }), (deviceIds, customId) => {
        const buffer = new CheckInBuffer(1000);
        for (const deviceId of deviceIds) see(buffer, deviceId, '', customId);
        const expected = deviceIds.map((deviceId) => ({ deviceId, customId: customId || null }));
        expect(take(buffer, 1000)).toMatchObject(expected);
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
        // A small one, which goes around.
        const buffer = new CheckInBuffer(70);
        const waiting: Record<string, string[]> = { a: [], b: [], c: [] };
        const check = (batch: readonly CheckIn[]): void => {
          expect(new Set(idsOf(batch)).size).toBe(batch.length);
          for (const { deviceId, state } of batch) expect(waiting[deviceId]?.shift()).toBe(state.json);
        };
        for (const { device, state, taken } of steps) {
          see(buffer, device, state);
          if (waiting[device]?.at(-1) !== state) waiting[device]?.push(state);
          if (taken > 0) check(take(buffer, taken));
        }
        while (buffer.size > 0) check(take(buffer, size));
        expect(waiting).toEqual({ a: [], b: [], c: [] });
      }),
    );
  });

  it('never grows beyond its capacity, and leaves repeats out first', () => {
    const buffer = new CheckInBuffer(10);
    for (const id of ['k1', 'k2', 'k3']) see(buffer, id);
    take(buffer, 3);
    for (let n = 0; n < 5; n++) see(buffer, `new ${n}`);
    for (const id of ['k1', 'k2', 'k3']) see(buffer, id);
    expect(buffer.takeDropped()).toEqual({ repeats: 3, news: 0 });
    see(buffer, 'k1', 'another state');
    for (let n = 5; n < 20; n++) see(buffer, `new ${n}`);
    expect(buffer.size).toBe(10);
    expect(buffer.takeDropped()).toEqual({ repeats: 0, news: 11 });
    expect(buffer.takeDropped()).toEqual({ repeats: 0, news: 0 });
    expect(idsOf(drain(buffer, 100).flat())).toContain('k1');
  });

  it('takes repeats as long as there is much room', () => {
    const buffer = new CheckInBuffer(10);
    see(buffer, 'a');
    take(buffer, 1);
    see(buffer, 'a');
    expect(idsOf(take(buffer, 10))).toEqual(['a']);
  });

  it('knows of those that were taken out as many as there is room for', () => {
    const buffer = new CheckInBuffer(4);
    for (const id of ['a', 'b', 'c', 'd', 'x', 'y']) {
      see(buffer, id);
      if (id < 'x') take(buffer, 1);
    }
    for (const id of ['d', 'c', 'b', 'a']) see(buffer, id);
    // Of `a` and `b` nothing is known any more: they are news, and take the last places.
    expect(buffer.takeDropped()).toEqual({ repeats: 2, news: 0 });
    expect(idsOf(take(buffer, 9))).toEqual(['x', 'y', 'b', 'a']);
  });

  it('does not use slots again that were taken, before they are released', () => {
    const buffer = new CheckInBuffer(4);
    for (const id of ['a', 'b']) see(buffer, id);
    const slots = buffer.take(2);
    for (const id of ['c', 'd', 'e', 'f']) see(buffer, id);
    expect(buffer.takeDropped()).toEqual({ repeats: 0, news: 2 });
    expect(idsOf(slots.map((slot) => buffer.at(slot)))).toEqual(['a', 'b']);
    buffer.release();
    for (const id of ['e', 'f', 'g']) see(buffer, id);
    expect(buffer.takeDropped()).toEqual({ repeats: 0, news: 1 });
    expect(idsOf(take(buffer, 9))).toEqual(['c', 'd', 'e', 'f']);
  });

  it('takes fewer whose ids are long', () => {
    const buffer = new CheckInBuffer(100);
    for (let n = 0; n < 100; n++) see(buffer, `${n}`.padEnd(255, 'x'));
    const { news } = buffer.takeDropped();
    expect(buffer.size).toBe(100 - news);
    expect(buffer.size).toBeGreaterThan(20);
    expect(idsOf(take(buffer, 100))).toEqual(
      Array.from({ length: 100 - news }, (_, n) => `${n}`.padEnd(255, 'x')),
    );
    see(buffer, 'after that');
    expect(idsOf(take(buffer, 100))).toEqual(['after that']);
  });

  it('leaves out what a device tells that never tells the same twice', () => {
    const buffer = new CheckInBuffer(1000);
    for (let n = 0; n < 900; n++) see(buffer, 'a', `${n}`);
    for (let n = 0; n < 100; n++) see(buffer, `other ${n}`);
    expect(buffer.takeDropped()).toEqual({ repeats: 0, news: 645 });
    expect(take(buffer, 1000)).toHaveLength(101);
    expect(drain(buffer, 1000)).toHaveLength(254);
  });
});
