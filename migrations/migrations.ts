import { CreateSchema1795233859029 } from './1795233859029-create-schema.js';
import { CreateDeletionTriggers1795236240245 } from './1795236240245-create-deletion-triggers.js';
import { CreateAuditLog1795242668744 } from './1795242668744-create-audit-log.js';
import { AnnounceReleases1795263000000 } from './1795263000000-announce-releases.js';
import { AddBundleExpiry1795325933994 } from './1795325933994-add-bundle-expiry.js';
import { EncodeBundleUrls1795326318117 } from './1795326318117-encode-bundle-urls.js';
import { AddDeviceRollbacks1795326901243 } from './1795326901243-add-device-rollbacks.js';
import { MarkDamagedBundles1795327554599 } from './1795327554599-mark-damaged-bundles.js';
import { AddUnsafeReuse1795327990150 } from './1795327990150-add-unsafe-reuse.js';
import { CompressWithGzip1795335499593 } from './1795335499593-compress-with-gzip.js';
import { RequestGzip1795335499594 } from './1795335499594-request-gzip.js';
import { AddGeneratedZips1795335575442 } from './1795335575442-add-generated-zips.js';
import { AddRetiredDeployments1795336184482 } from './1795336184482-add-retired-deployments.js';
import { CountRollbacksOfBatches1795337000000 } from './1795337000000-count-rollbacks-of-batches.js';
import { CompareOlderManifests1795337166012 } from './1795337166012-compare-older-manifests.js';
import { RecordProofs1795338858375 } from './1795338858375-record-proofs.js';
import { BoundUploadParts1795339748418 } from './1795339748418-bound-upload-parts.js';
import { AddActivities1795340289390 } from './1795340289390-add-activities.js';
import { AnnounceArtifactChanges1795341000000 } from './1795341000000-announce-artifact-changes.js';
import { AddSignInLinks1795347185887 } from './1795347185887-add-sign-in-links.js';
import { AddStorageQuotas1795347472728 } from './1795347472728-add-storage-quotas.js';
import { ListDevicesAndBundles1795347997054 } from './1795347997054-list-devices-and-bundles.js';
import { AddEncryptionChecks1795348337640 } from './1795348337640-add-encryption-checks.js';
import { AddJobs1795360649920 } from './1795360649920-add-jobs.js';
import { CountUploadParts1795360806198 } from './1795360806198-count-upload-parts.js';
import { AddRunners1795360828786 } from './1795360828786-add-runners.js';
import { AddEnvironments1795361015930 } from './1795361015930-add-environments.js';
import { AddGitConnections1795361356098 } from './1795361356098-add-git-connections.js';
import { AddCloudBuilds1795361732899 } from './1795361732899-add-cloud-builds.js';
import { RememberRefsOfBuilds1795373393372 } from './1795373393372-remember-refs-of-builds.js';
import { ForgetPlainBodyHashes1795373500000 } from './1795373500000-forget-plain-body-hashes.js';
import { AddFailureSummaries1795374642113 } from './1795374642113-add-failure-summaries.js';
import { VersionObjects1795411179129 } from './1795411179129-version-objects.js';

/** Every migration, in order of their times. An explicit list, because a bundle has no files to search. */
export const migrations = [
  CreateSchema1795233859029,
  CreateDeletionTriggers1795236240245,
  CreateAuditLog1795242668744,
  AnnounceReleases1795263000000,
  AddBundleExpiry1795325933994,
  EncodeBundleUrls1795326318117,
  AddDeviceRollbacks1795326901243,
  MarkDamagedBundles1795327554599,
  AddUnsafeReuse1795327990150,
  CompressWithGzip1795335499593,
  RequestGzip1795335499594,
  AddGeneratedZips1795335575442,
  AddRetiredDeployments1795336184482,
  CountRollbacksOfBatches1795337000000,
  CompareOlderManifests1795337166012,
  RecordProofs1795338858375,
  BoundUploadParts1795339748418,
  AddActivities1795340289390,
  AnnounceArtifactChanges1795341000000,
  AddSignInLinks1795347185887,
  AddStorageQuotas1795347472728,
  ListDevicesAndBundles1795347997054,
  AddEncryptionChecks1795348337640,
  AddJobs1795360649920,
  CountUploadParts1795360806198,
  AddRunners1795360828786,
  AddEnvironments1795361015930,
  AddGitConnections1795361356098,
  AddCloudBuilds1795361732899,
  RememberRefsOfBuilds1795373393372,
  ForgetPlainBodyHashes1795373500000,
  AddFailureSummaries1795374642113,
  VersionObjects1795411179129,
];
