import { defineEvent, type EventFacts } from '../../events/event-definition.js';
import { minuteOf } from '../../events/facts.js';
import { ChannelEventDto } from './channel.dto.js';

export const appChannelPaused = defineEvent<ChannelEventDto>({
  type: 'app_channel_paused',
  title: 'Channel paused',
  description: 'A user has paused a channel: its devices get no updates.',
  permission: 'channels:read',
  of: 'app',
  data: ChannelEventDto,
  facts: ({ appChannelName }) => ({ Channel: appChannelName }),
});

export const appChannelResumed = defineEvent<ChannelEventDto>({
  type: 'app_channel_resumed',
  title: 'Channel resumed',
  description: 'A user has resumed a paused channel.',
  permission: 'channels:read',
  of: 'app',
  data: ChannelEventDto,
  facts: ({ appChannelName }) => ({ Channel: appChannelName }),
});

export const appChannelExpiring = defineEvent<ChannelEventDto>({
  type: 'app_channel_expiring',
  title: 'Channel expires soon',
  description: 'A channel expires within seven days, and again when it expires within a day.',
  permission: 'channels:read',
  of: 'app',
  data: ChannelEventDto,
  facts: expiryFacts,
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    advice:
      'If devices still follow the channel, change expiresAt with PATCH, or move them to another channel.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/channels/${objectId}`,
  },
});

export const appChannelExpired = defineEvent<ChannelEventDto>({
  type: 'app_channel_expired',
  title: 'Channel expired',
  description: 'A channel has expired: its devices get no updates.',
  permission: 'channels:read',
  of: 'app',
  data: ChannelEventDto,
  facts: expiryFacts,
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    advice: 'If devices still follow the channel, change expiresAt with PATCH.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/channels/${objectId}`,
  },
});

function expiryFacts({ appChannelName, expiresAt }: ChannelEventDto): EventFacts {
  return { Channel: appChannelName, Expires: expiresAt === null ? null : minuteOf(expiresAt) };
}
