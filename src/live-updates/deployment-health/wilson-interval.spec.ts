import fc from 'fast-check';
import { confidences, wilsonInterval } from './wilson-interval.js';

const counts = fc
  .nat(100_000)
  .chain((trials) => fc.tuple(fc.integer({ min: 0, max: trials }), fc.constant(trials)));
const confidence = fc.constantFrom(...confidences);

describe('the Wilson interval', () => {
  // Each bound solves |p − share| = z·sqrt(p(1−p)/n), which is how Wilson defines it.
  it('has bounds that are exactly as far from the share as the confidence says', () => {
    fc.assert(
      fc.property(counts, ([hits, trials]) => {
        fc.pre(trials > 0);
        const { lower, upper } = wilsonInterval(hits, trials, 0.95);
        for (const bound of [lower, upper]) {
          const distance = Math.abs(bound - hits / trials);
          const z = 1.6448536269514722;
          if (bound > 0 && bound < 1) {
            expect(distance).toBeCloseTo(z * Math.sqrt((bound * (1 - bound)) / trials), 9);
          }
        }
      }),
    );
  });

  // Found by bisection of that equation, not by the formula.
  it.each([
    [0, 10, 0.95, 0, 0.21294197],
    [1, 10, 0.95, 0.02263491, 0.34771867],
    [10, 10, 0.95, 0.78705803, 1],
    [50, 1000, 0.95, 0.0398282155, 0.0626002034],
  ])('of %d in %d at %d is %d to %d', (hits, trials, level, lower, upper) => {
    const interval = wilsonInterval(hits, trials, level);
    expect(interval.lower).toBeCloseTo(lower, 7);
    expect(interval.upper).toBeCloseTo(upper, 7);
  });

  it('contains the share and stays between 0 and 1', () => {
    fc.assert(
      fc.property(counts, confidence, ([hits, trials], level) => {
        const { lower, upper } = wilsonInterval(hits, trials, level);
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(upper).toBeLessThanOrEqual(1);
        if (trials > 0) {
          expect(lower).toBeLessThanOrEqual(hits / trials);
          expect(upper).toBeGreaterThanOrEqual(hits / trials);
        }
      }),
    );
  });

  it('is symmetric, narrower with more trials, wider with more confidence', () => {
    fc.assert(
      fc.property(counts, ([hits, trials]) => {
        fc.pre(trials > 0);
        const { lower, upper } = wilsonInterval(hits, trials, 0.95);
        const mirrored = wilsonInterval(trials - hits, trials, 0.95);
        expect(mirrored.lower).toBeCloseTo(1 - upper, 9);
        const more = wilsonInterval(10 * hits, 10 * trials, 0.95);
        expect(more.upper - more.lower).toBeLessThan(upper - lower);
        const surer = wilsonInterval(hits, trials, 0.999);
        expect(surer.lower).toBeLessThanOrEqual(lower);
        expect(surer.upper).toBeGreaterThanOrEqual(upper);
      }),
    );
  });

  it('knows nothing without trials, and refuses what is no share', () => {
    expect(wilsonInterval(0, 0, 0.95)).toEqual({ lower: 0, upper: 1 });
    expect(() => wilsonInterval(2, 1, 0.95)).toThrow(RangeError);
    expect(() => wilsonInterval(-1, 1, 0.95)).toThrow(RangeError);
    expect(() => wilsonInterval(Number.NaN, 1, 0.95)).toThrow(RangeError);
    expect(() => wilsonInterval(1, 1, 0.5)).toThrow(RangeError);
  });
});
