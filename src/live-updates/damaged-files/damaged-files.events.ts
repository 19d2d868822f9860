import { defineEvent } from '../../events/event-definition.js';
import type { Damage } from '../../storage/blobs/blob.entity.js';
import { DamagedBundleEventDto } from './damaged-file.dto.js';

export const appBundleDamaged = defineEvent<DamagedBundleEventDto>({
  type: 'app_bundle_damaged',
  title: 'Bundle damaged',
  description:
    'Stored files of a bundle differ from what was uploaded, so devices do not get it. Each bundle has one event, and another one when it is damaged after a repair. Upload the same files again to repair it.',
  permission: 'builds:read',
  of: 'app',
  data: DamagedBundleEventDto,
  facts: ({ appChannelName, appBuildNumber, damagedFiles, href, reason }) => ({
    Channel: appChannelName,
    Build: appBuildNumber,
    'Damaged files': damagedFiles,
    'First file': href ?? 'The zip',
    Reason: REASONS[reason],
  }),
  severity: 'critical',
  notice: {
    kind: 'health',
    to: 'readers',
    advice: 'Upload the same files again, or deploy another build.',
    path: ({ appId, data }) => `/v1/apps/${appId}/builds/${data.appBuildId}`,
    page: ({ appId, data }) => `/apps/${appId}/builds/${data.appBuildId}`,
  },
});

const REASONS: Readonly<Record<Damage, string>> = {
  missing: 'Nothing is stored',
  size: 'The length differs',
  checksum: 'The content differs',
};
