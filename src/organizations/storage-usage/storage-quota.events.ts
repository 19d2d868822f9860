import { defineEvent } from '../../events/event-definition.js';
import { StorageQuotaEventDto } from './storage-quota-event.dto.js';

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
});

function inGigabytes(bytes: number): string {
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
