import { signaledOrganizations, signalPayload } from './signal-payload.js';

const idOf = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;

it('names each organization once', () => {
  const payload = signalPayload([idOf(1), idOf(2), idOf(1)]);
  expect(signaledOrganizations(payload)).toEqual([idOf(1), idOf(2)]);
});

it('names none where there are too many for a signal of PostgreSQL', () => {
  const payload = signalPayload(Array.from({ length: 300 }, (_, index) => idOf(index)));
  expect(payload).toBe('');
  expect(signaledOrganizations(payload)).toBeNull();
});
