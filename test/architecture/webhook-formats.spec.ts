import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bodyOf } from '../../src/notifications/formats/body-of.js';
import type { DeliverableEvent } from '../../src/notifications/formats/deliverable-event.js';
import { blocksOf } from '../support/processes/shell.js';

/** The event of the page. */
const event: DeliverableEvent = {
  id: '0199b0c2-7c1e-7b87-a14a-448915826eb6',
  type: 'app_channel_paused',
  title: 'Channel paused',
  description: 'A channel was paused.',
  severity: 'warning',
  facts: { Channel: 'production' },
  createdAt: '2026-03-14T09:26:53.000Z',
  organizationId: '0199b0c2-7c1e-7d76-a4d4-2592fc968709',
  appId: '0199b0c2-7c1e-70d0-a4bf-eb7d64b71c74',
  objectId: '0199b0c2-7c1e-7f1a-a39e-7b1c2d3e4f50',
  channelId: '0199b0c2-7c1e-7f1a-a39e-7b1c2d3e4f50',
  userId: '0199b0c2-7c1e-7a51-a8e2-4d1f0a9b3c27',
  appName: 'Shop',
  userName: 'Ada Lovelace',
  epoch: null,
  position: 4711,
  data: {
    appChannelId: '0199b0c2-7c1e-7f1a-a39e-7b1c2d3e4f50',
    appChannelName: 'production',
    pausedAt: '2026-03-14T09:26:53.000Z',
    expiresAt: null,
  },
};

it('docs/webhook-formats.md shows what is sent in each format', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/webhook-formats.md'), 'utf8');
  const shown = blocksOf(page, 'json').map((block) => JSON.parse(block) as unknown);
  const sent = (['raw', 'slack', 'teams', 'discord'] as const).map(
    (format) => JSON.parse(bodyOf(format, event)) as unknown,
  );
  expect(shown).toEqual(sent);
});
