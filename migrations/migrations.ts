import { CreateSchema1795233859029 } from './1795233859029-create-schema.js';
import { CreateDeletionTriggers1795236240245 } from './1795236240245-create-deletion-triggers.js';
import { CreateAuditLog1795242668744 } from './1795242668744-create-audit-log.js';
import { AnnounceReleases1795263000000 } from './1795263000000-announce-releases.js';
import { AddBundleExpiry1795325933994 } from './1795325933994-add-bundle-expiry.js';
import { AddDeviceRollbacks1795326901243 } from './1795326901243-add-device-rollbacks.js';

/** Every migration, in order of their times. An explicit list, because a bundle has no files to search. */
export const migrations = [
  CreateSchema1795233859029,
  CreateDeletionTriggers1795236240245,
  CreateAuditLog1795242668744,
  AnnounceReleases1795263000000,
  AddBundleExpiry1795325933994,
  AddDeviceRollbacks1795326901243,
];
