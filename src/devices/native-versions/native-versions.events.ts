import { platformNames } from '../../common/native-maxima.js';
import { defineEvent } from '../../events/event-definition.js';
import { platforms } from '../check-ins/device-report.js';
import { NativeVersionEventDto } from './native-version-event.dto.js';

export const nativeVersionFirstSeen = defineEvent<NativeVersionEventDto>({
  type: 'native_version_first_seen',
  title: 'New native version',
  description:
    'Enough devices report a native version that is above all that were seen on its platform before. Each app has one such event for a platform and day at most, with the highest version.',
  permission: 'devices:read',
  of: 'app',
  data: NativeVersionEventDto,
  facts: ({ platform, appVersionCode, appVersionName, devices, deployments }) => ({
    Platform: platformNames[platforms[platform] ?? 'android'],
    'Version code': appVersionCode,
    Version: appVersionName === '' ? null : appVersionName,
    Devices: devices,
    'Older web code': deployments.length === 0 ? null : deployments.map(nameOf).join(', '),
  }),
  notice: {
    kind: 'health',
    to: 'readers',
    advice: 'Check that the web code in the channels of these devices fits the new version.',
    path: ({ appId }) => `/v1/apps/${appId}/deployments`,
    page: ({ appId }) => `/apps/${appId}/channels`,
  },
});

function nameOf({ appChannelName, createdAt }: NativeVersionEventDto['deployments'][number]): string {
  return `${appChannelName} (${createdAt.slice(0, 10)})`;
}
