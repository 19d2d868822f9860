import type { DeliverableEvent } from '../../../src/notifications/formats/deliverable-event.js';

/** An event as deliveries hand it to the formats. */
export const deliverableEvent: DeliverableEvent = {
  id: '0190a1b2-0000-7000-8000-000000000001',
  type: 'app_channel_paused',
  title: 'Channel paused',
  description: 'A channel was paused: its devices keep what they have.',
  severity: 'info',
  facts: { Channel: 'production' },
  createdAt: '2026-01-02T03:04:05.678Z',
  organizationId: '0190a1b2-0000-7000-8000-000000000002',
  appId: '0190a1b2-0000-7000-8000-000000000003',
  objectId: '0190a1b2-0000-7000-8000-000000000004',
  channelId: '0190a1b2-0000-7000-8000-000000000004',
  userId: '0190a1b2-0000-7000-8000-000000000005',
  appName: 'Coffee',
  userName: 'Ada',
  epoch: null,
  position: 17,
  data: { channelId: 'c1', channelName: 'production' },
};
