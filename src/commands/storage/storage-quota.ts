import { isUuid } from '../../common/validation/uuid.js';
import { OrganizationsService } from '../../organizations/organizations/organizations.service.js';
import { GIGABYTE, StorageQuotasService } from '../../storage/uploads/storage-quotas.service.js';
import { command, UsageError } from '../command.js';
import { withApplication } from '../with-application.js';

/** `slipway storage quota`: shows or sets how much an organization may store. See docs/operations.md. */
export const storageQuota = command({
  options: {
    organization: { type: 'string', value: 'ID', help: 'the organization' },
    gigabytes: {
      type: 'string',
      value: 'N',
      help: 'its limit in gigabytes of 1,000,000,000 bytes; 0: no limit',
    },
    default: { type: 'boolean', default: false, help: 'back to ORGANIZATION_STORAGE_GIGABYTES' },
  },
  run: async ({ organization, gigabytes, default: isDefault }) => {
    if (organization === undefined || !isUuid(organization)) {
      throw new UsageError('--organization must be the id of an organization.');
    }
    if (gigabytes !== undefined && isDefault) throw new UsageError('Use --gigabytes or --default, not both.');
    const quota = isDefault ? null : gigabytes === undefined ? undefined : parseGigabytes(gigabytes);
    await withApplication(async (app) => {
      if (quota !== undefined) {
        await app.get(OrganizationsService, { strict: false }).setStorageQuota(organization, quota);
      }
      const quotas = app.get(StorageQuotasService, { strict: false });
      const { files, sizeInBytes, quotaInBytes } = await quotas.usage(organization);
      const limit = quotaInBytes === null ? 'none' : inGigabytes(quotaInBytes);
      console.log(`Files: ${files}. Stored: ${inGigabytes(sizeInBytes)}. Limit: ${limit}.`);
    });
  },
});

/** @returns bytes @throws UsageError */
function parseGigabytes(text: string): number {
  const gigabytes = /^\d{1,7}(\.\d{1,9})?$/.test(text) ? Number(text) : NaN;
  if (!(gigabytes <= 1_000_000)) throw new UsageError('--gigabytes must be a number from 0 to 1000000.');
  return Math.round(gigabytes * GIGABYTE);
}

function inGigabytes(bytes: number): string {
  return `${(bytes / GIGABYTE).toFixed(3)} GB`;
}
