import fc from 'fast-check';
import { deviceIdOf, type Sighting } from './sighting.js';
import { SightingBuffer } from './sighting-buffer.js';

function sighting(deviceId: string, state: string | null = null, seenAt = 0): Sighting {
  return { key: `app${deviceId}`, appId: 'app', state: String(state), customId: null, seenAt };
}

/** Takes everything out, in batches. */
function drain(buffer: SightingBuffer, size: number): Sighting[][] {
  const batches: Sighting[][] = [];
  while (buffer.size > 0) batches.push(buffer.take(size));
  return batches;
}

const idsOf = (sightings: readonly Sighting[]): string[] => sightings.map(deviceIdOf);

describe('SightingBuffer', () => {
  it('keeps one sighting of a device in one state, the last', () => {
    const buffer = new SightingBuffer(100);
    for (let time = 1; time <= 5; time++) buffer.add(sighting('a', null, time));
    expect(buffer.size).toBe(1);
    expect(drain(buffer, 10)).toMatchObject([[{ seenAt: 5 }]]);
  });

  it('keeps a sighting with another custom id', () => {
    const buffer = new SightingBuffer(100);
    for (const customId of [null, 'Ada', 'Ada', 'Grace']) buffer.add({ ...sighting('a'), customId });
    expect(drain(buffer, 10).map(([only]) => only?.customId)).toEqual([null, 'Ada', 'Grace']);
  });

  it('keeps every change of a device, in order, never two of them in one batch', () => {
    const change = fc.record({
      device: fc.constantFrom('a', 'b', 'c'),
      state: fc.constantFrom('1', '2', null),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (changes, size) => {
        const buffer = new SightingBuffer(1000);
        for (const { device, state } of changes) buffer.add(sighting(device, state));
        const batches = drain(buffer, size);
        for (const batch of batches) expect(new Set(idsOf(batch)).size).toBe(batch.length);
        for (const device of ['a', 'b', 'c']) {
          const written = batches.flat().filter((written) => deviceIdOf(written) === device);
          const seen = changes.filter((seen) => seen.device === device).map(({ state }) => String(state));
          const states = seen.filter((state, i) => i === 0 || state !== seen[i - 1]);
          expect(written.map(({ state }) => state)).toEqual(states);
        }
      }),
    );
  });

  it('puts back what could not be written before what came later', () => {
    const buffer = new SightingBuffer(100);
    buffer.add(sighting('a', '1'));
    buffer.add(sighting('b', '1'));
    const failed = buffer.take(10);
    buffer.add(sighting('a', '2'));
    buffer.putBack(failed);
    expect(buffer.size).toBe(3);
    const states = drain(buffer, 10).map((batch) => batch.map(({ state }) => state));
    expect(states).toEqual([['1', '1'], ['2']]);
  });

  it('never grows beyond its capacity, and leaves repeats out first', () => {
    const buffer = new SightingBuffer(10);
    const known = ['k1', 'k2', 'k3'].map((id) => sighting(id));
    for (let n = 0; n < 5; n++) buffer.add(sighting(`new ${n}`));
    buffer.markWritten(known);
    for (const repeat of known) buffer.add(repeat);
    expect(buffer.takeDropped()).toEqual({ repeats: 3, news: 0 });
    buffer.add(sighting('k1', 'another state'));
    for (let n = 5; n < 20; n++) buffer.add(sighting(`new ${n}`));
    expect(buffer.size).toBe(10);
    expect(buffer.takeDropped()).toEqual({ repeats: 0, news: 11 });
    expect(buffer.takeDropped()).toEqual({ repeats: 0, news: 0 });
    expect(idsOf(drain(buffer, 100).flat())).toContain('k1');
  });

  it('remembers the newest of what was written, half as many as it may keep at least', () => {
    const buffer = new SightingBuffer(4);
    for (const id of ['x', 'y']) buffer.add(sighting(id));
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const id of ids) buffer.markWritten([sighting(id)]);
    for (const id of ids.toReversed()) buffer.add(sighting(id));
    // Of `a` to `d` nothing is known any more: they are news, and the first two of them take the last places.
    expect(buffer.takeDropped()).toEqual({ repeats: 3, news: 2 });
    expect(idsOf(buffer.take(9))).toEqual(['x', 'y', 'd', 'c']);
  });
});
