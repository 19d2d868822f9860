import fc from 'fast-check';
import { bucket, isInRollout } from './rollout.js';

const DEPLOYMENT = '0190e6d4-3a5b-7c11-9d2e-5f60718293a4';
const DEVICE = '7f1e2d3c-4b5a-4968-8776-655443322110';

const percentage = fc.double({ min: 0, max: 1, noNaN: true });

describe('bucket', () => {
  it.each([
    ['a', 'b', 0x6783a31e],
    [DEPLOYMENT, DEVICE, 0x23f3bdf4],
  ])('is the first 32 bits of SHA-256("%s:%s") as a fraction', (deploymentId, deviceId, firstBits) => {
    expect(bucket(deploymentId, deviceId)).toBe(firstBits / 2 ** 32);
  });

  it('lies between 0 (inclusive) and 1 (exclusive) for any ids', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (deploymentId, deviceId) => {
        const value = bucket(deploymentId, deviceId);
        return value >= 0 && value < 1;
      }),
    );
  });

  it('puts a device in another bucket for each deployment', () => {
    expect(bucket('first', DEVICE)).not.toBe(bucket('second', DEVICE));
  });
});

describe('isInRollout', () => {
  it('lets everybody into a full rollout, also devices without id', () => {
    expect(isInRollout(DEPLOYMENT, DEVICE, 1)).toBe(true);
    expect(isInRollout(DEPLOYMENT, null, 1)).toBe(true);
    expect(isInRollout(DEPLOYMENT, '', 1)).toBe(true);
  });

  it('lets no device into a rollout of 0', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), (deploymentId, deviceId) => {
        expect(isInRollout(deploymentId, deviceId, 0)).toBe(false);
      }),
    );
  });

  it('keeps devices without id out of partial rollouts', () => {
    expect(isInRollout(DEPLOYMENT, null, 0.999999)).toBe(false);
    expect(isInRollout(DEPLOYMENT, '', 0.999999)).toBe(false);
  });

  it('excludes the device whose bucket equals the percentage', () => {
    const own = bucket(DEPLOYMENT, DEVICE);
    expect(isInRollout(DEPLOYMENT, DEVICE, own)).toBe(false);
    expect(isInRollout(DEPLOYMENT, DEVICE, own + 2 ** -32)).toBe(true);
  });

  it('never drops a device when the percentage grows', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), percentage, percentage, (deploymentId, deviceId, a, b) => {
        const before = isInRollout(deploymentId, deviceId, Math.min(a, b));
        const after = isInRollout(deploymentId, deviceId, Math.max(a, b));
        expect(!before || after).toBe(true);
      }),
    );
  });

  it('reaches a share of 100,000 random devices within 1 percent of the percentage', () => {
    const devices = fc.sample(fc.uuid(), { numRuns: 100_000, seed: 20_240_131 });
    for (const share of [0.01, 0.1, 0.25, 0.5, 0.9, 0.99]) {
      const reached = devices.filter((deviceId) => isInRollout(DEPLOYMENT, deviceId, share)).length;
      expect(Math.abs(reached / devices.length - share)).toBeLessThan(0.01);
    }
  });
});
