import { channelPage } from '../../events/console-pages.js';
import { defineEvent, type EventFacts } from '../../events/event-definition.js';
import { minuteOf } from '../../events/facts.js';
import { ChannelEventDto, ChannelPauseEventDto, ChannelUpdatedEventDto } from './channel-event.dto.js';

export const appChannelPaused = defineEvent<ChannelPauseEventDto>({
  type: 'app_channel_paused',
  title: 'Channel paused',
  description: 'A user has paused a channel: its devices get no updates.',
  permission: 'channels:read',
  of: 'app',
  data: ChannelPauseEventDto,
  facts: ({ appChannelName, comment }) => ({ Channel: appChannelName, Comment: comment }),
});

export const appChannelResumed = defineEvent<ChannelPauseEventDto>({
  type: 'app_channel_resumed',
  title: 'Channel resumed',
  description: 'A user has resumed a paused channel.',
  permission: 'channels:read',
  of: 'app',
  data: ChannelPauseEventDto,
  facts: ({ appChannelName, comment }) => ({ Channel: appChannelName, Comment: comment }),
});

export const appChannelUpdated = defineEvent<ChannelUpdatedEventDto>({
  type: 'app_channel_updated',
  title: 'Channel changed',
  description:
    'A user has changed settings of a channel, such as its freeze windows. A pause has its own event: `app_channel_paused`.',
  permission: 'channels:read',
  of: 'app',
  data: ChannelUpdatedEventDto,
  facts: ({ appChannelName, after, comment }) => ({
    Channel: appChannelName,
    Changed: Object.keys(after).join(', '),
    Comment: comment,
  }),
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
    page: channelPage,
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
    page: channelPage,
  },
});

function expiryFacts({ appChannelName, expiresAt }: ChannelEventDto): EventFacts {
  return { Channel: appChannelName, Expires: expiresAt === null ? null : minuteOf(expiresAt) };
}
