import { expiryOf } from './session-lifetime.js';

it('ends a session after 30 days without use, and after 90 days at the latest', () => {
  const createdAt = new Date('2030-01-01T00:00:00Z');
  expect(expiryOf({ createdAt, lastUsedAt: createdAt })).toEqual(new Date('2030-01-31T00:00:00Z'));
  const lastUsedAt = new Date('2030-03-31T12:00:00Z');
  expect(expiryOf({ createdAt, lastUsedAt })).toEqual(new Date('2030-04-01T00:00:00Z'));
});
