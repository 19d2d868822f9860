import { defineEvent } from '../../events/event-definition.js';
import { StorageQuotaEventDto } from './storage-usage.dto.js';

export const storageQuotaNear = defineEvent<StorageQuotaEventDto>({
  type: 'storage_quota_near',
  title: 'Storage quota nearly used up',
  description: 'The organization stores 80, 95 or 100 percent of what it may store.',
  permission: 'organizations:read',
  of: 'organization',
  data: StorageQuotaEventDto,
  facts: ({ usedPercent, sizeInBytes, quotaInBytes }) => ({
    Used: `${usedPercent} %`,
    Stored: inGigabytes(sizeInBytes),
    Quota: inGigabytes(quotaInBytes),
  }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    advice:
      'Delete what you no longer need, or ask the operator of this server for a larger quota. At 100 %, uploads are refused.',
    path: ({ organizationId }) => `/v1/organizations/${organizationId}/storage`,
  },
});

function inGigabytes(bytes: number): string {
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
