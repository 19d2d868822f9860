import { deliverableEvent } from '../../../test/support/notifications/deliverable-event.js';
import { bodyOf } from './body-of.js';

it('sends the event and its data, and what identifies and orders it, without names of people', () => {
  expect(JSON.parse(bodyOf('raw', deliverableEvent))).toEqual({
    event: 'app_channel_paused',
    data: { channelId: 'c1', channelName: 'production' },
    type: 'app_channel_paused',
    id: '0190a1b2-0000-7000-8000-000000000001',
    epoch: null,
    createdAt: '2026-01-02T03:04:05.678Z',
    organizationId: '0190a1b2-0000-7000-8000-000000000002',
    appId: '0190a1b2-0000-7000-8000-000000000003',
    objectId: '0190a1b2-0000-7000-8000-000000000004',
    channelId: '0190a1b2-0000-7000-8000-000000000004',
    userId: '0190a1b2-0000-7000-8000-000000000005',
    position: 17,
  });
});

it.each(['raw', 'slack', 'teams', 'discord'] as const)('says the same of the same event as %s', (format) => {
  expect(bodyOf(format, structuredClone(deliverableEvent))).toBe(bodyOf(format, deliverableEvent));
});
