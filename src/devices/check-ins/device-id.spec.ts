import { isDeviceId, shownDeviceId } from './device-id.js';

it.each(['7f1e4c9a-3f5b-4f0e-9f0e-6a1b7a0c7d11', 'a', '0', '..a', 'ABC.1:2_3~4-5', 'x'.repeat(255)])(
  '%s is an id that is recorded and shown as it is',
  (id) => {
    expect(isDeviceId(id)).toBe(true);
    expect(shownDeviceId(id)).toBe(id);
  },
);

it.each([
  ['.', '%2E'],
  ['..', '%2E%2E'],
  ['../bundles/7', '%2E%2E%2Fbundles%2F7'],
  ['-_~:', '-_~%3A'],
  ["a'b(c)*!", 'a%27b%28c%29%2A%21'],
  ['a b\u001b[31m', 'a%20b%1B%5B31m'],
  ['é', '%C3%A9'],
  ['a\ud800', 'a%EF%BF%BD'],
])('%j is not recorded, and shown as %s', (id, shown) => {
  expect(isDeviceId(id)).toBe(false);
  expect(shownDeviceId(id)).toBe(shown);
});

it('records no empty id and none that is too long', () => {
  expect(['', 'x'.repeat(256)].filter(isDeviceId)).toEqual([]);
});
