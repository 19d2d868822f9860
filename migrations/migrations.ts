import { CreateSchema1795374642114 } from './1795374642114-create-schema.js';
import { VersionObjects1795411179129 } from './1795411179129-version-objects.js';
import { GiveJobsSubjects1795411180958 } from './1795411180958-give-jobs-subjects.js';
import { DropManifestComparisons1795413247000 } from './1795413247000-drop-manifest-comparisons.js';
import { CountConsecutiveRollbacks1795434200000 } from './1795434200000-count-consecutive-rollbacks.js';
import { IndexEmptyFiles1795434300000 } from './1795434300000-index-empty-files.js';
import { GiveVariantsChecksums1795440000001 } from './1795440000001-give-variants-checksums.js';
import { KnowOtherServersManifests1795440000003 } from './1795440000003-know-other-servers-manifests.js';
import { SealSourceAddresses1795447615365 } from './1795447615365-seal-source-addresses.js';
import { KeepSigningKeys1795451000000 } from './1795451000000-keep-signing-keys.js';
import { TieClaimsToSessions1795451000001 } from './1795451000001-tie-claims-to-sessions.js';
import { RestrictCertificates1795451000002 } from './1795451000002-restrict-certificates.js';
import { KeepTablesOfHarmlessChanges1795463000000 } from './1795463000000-keep-tables-of-harmless-changes.js';
import { ListSubmoduleRepositories1795463000001 } from './1795463000001-list-submodule-repositories.js';
import { InviteNewUsers1795463000002 } from './1795463000002-invite-new-users.js';
import { DisableUsers1795463000010 } from './1795463000010-disable-users.js';
import { ChooseRunnersByLabels1795500000100 } from './1795500000100-choose-runners-by-labels.js';
import { ConfigureVersions1795500000101 } from './1795500000101-configure-versions.js';
import { DescribeCertificates1795500000102 } from './1795500000102-describe-certificates.js';
import { ReadArtifacts1795500000200 } from './1795500000200-read-artifacts.js';
import { AddImportJobs1795500000300 } from './1795500000300-add-import-jobs.js';
import { IndexWorkerJobs1795500000301 } from './1795500000301-index-worker-jobs.js';
import { ShareBuilds1795500000401 } from './1795500000401-share-builds.js';
import { SubmitToStores1795500000500 } from './1795500000500-submit-to-stores.js';
import { DeployToDestinations1795500000510 } from './1795500000510-deploy-to-destinations.js';
import { SubmitAfterBuilds1795500000511 } from './1795500000511-submit-after-builds.js';
import { SubmitToAppStoreConnect1795500000600 } from './1795500000600-submit-to-app-store-connect.js';
import { CountCallsWithAppleKeys1795500000610 } from './1795500000610-count-calls-with-apple-keys.js';
import { KeepProvisioningProfiles1795500000700 } from './1795500000700-keep-provisioning-profiles.js';
import { FollowReleasesInStores1795500000800 } from './1795500000800-follow-releases-in-stores.js';
import { KeepWordsOfStores1795500000810 } from './1795500000810-keep-words-of-stores.js';
import { SayWhyLooksFail1795500000811 } from './1795500000811-say-why-looks-fail.js';
import { NumberBuildsByStores1795500000840 } from './1795500000840-number-builds-by-stores.js';
import { RecordEvents1795500000900 } from './1795500000900-record-events.js';
import { MailNotices1795500000970 } from './1795500000970-mail-notices.js';
import { KnowSendersOfResponses1795500001000 } from './1795500001000-know-senders-of-responses.js';
import { GiveOrganizationsAccounts1795500001100 } from './1795500001100-give-organizations-accounts.js';
import { SuspendOrganizations1795500001200 } from './1795500001200-suspend-organizations.js';
import { DeepenCheckouts1795500001300 } from './1795500001300-deepen-checkouts.js';
import { BuildWithoutCaches1795500001400 } from './1795500001400-build-without-caches.js';
import { NumberBuildsByFormFactor1795500002100 } from './1795500002100-number-builds-by-form-factor.js';
import { KeepWordsOfPeople1795500004100 } from './1795500004100-keep-words-of-people.js';
import { RememberGoodDeployments1795500004200 } from './1795500004200-remember-good-deployments.js';
import { IndexEventsOfObjects1795500004300 } from './1795500004300-index-events-of-objects.js';
import { BuildByAutomations1795500005100 } from './1795500005100-build-by-automations.js';
import { LookAtRepositories1795500005200 } from './1795500005200-look-at-repositories.js';
import { ReceiveGitEvents1795500006100 } from './1795500006100-receive-git-events.js';
import { AllowBranches1795500007100 } from './1795500007100-allow-branches.js';
import { FindLinksByRepository1795500007200 } from './1795500007200-find-links-by-repository.js';
import { IndexJobLogs1795500200100 } from './1795500200100-index-job-logs.js';
import { AnnounceInboxes1795500400100 } from './1795500400100-announce-inboxes.js';
import { SampleDevices1795500500100 } from './1795500500100-sample-devices.js';
import { KeepLastReports1795500590100 } from './1795500590100-keep-last-reports.js';
import { CompareContent1795500595100 } from './1795500595100-compare-content.js';
import { RememberNativeVersions1795500600100 } from './1795500600100-remember-native-versions.js';
import { SetEventsAside1795500700100 } from './1795500700100-set-events-aside.js';
import { IndexEventsSetAside1795500700101 } from './1795500700101-index-events-set-aside.js';
import { CountEpochs1795500800100 } from './1795500800100-count-epochs.js';

/** Every migration, in order of their times. An explicit list, because a bundle has no files to search. */
export const migrations = [
  CreateSchema1795374642114,
  VersionObjects1795411179129,
  GiveJobsSubjects1795411180958,
  DropManifestComparisons1795413247000,
  CountConsecutiveRollbacks1795434200000,
  IndexEmptyFiles1795434300000,
  GiveVariantsChecksums1795440000001,
  KnowOtherServersManifests1795440000003,
  SealSourceAddresses1795447615365,
  KeepSigningKeys1795451000000,
  TieClaimsToSessions1795451000001,
  RestrictCertificates1795451000002,
  KeepTablesOfHarmlessChanges1795463000000,
  ListSubmoduleRepositories1795463000001,
  InviteNewUsers1795463000002,
  DisableUsers1795463000010,
  ChooseRunnersByLabels1795500000100,
  ConfigureVersions1795500000101,
  DescribeCertificates1795500000102,
  ReadArtifacts1795500000200,
  AddImportJobs1795500000300,
  IndexWorkerJobs1795500000301,
  ShareBuilds1795500000401,
  SubmitToStores1795500000500,
  DeployToDestinations1795500000510,
  SubmitAfterBuilds1795500000511,
  SubmitToAppStoreConnect1795500000600,
  CountCallsWithAppleKeys1795500000610,
  KeepProvisioningProfiles1795500000700,
  FollowReleasesInStores1795500000800,
  KeepWordsOfStores1795500000810,
  SayWhyLooksFail1795500000811,
  NumberBuildsByStores1795500000840,
  RecordEvents1795500000900,
  MailNotices1795500000970,
  KnowSendersOfResponses1795500001000,
  GiveOrganizationsAccounts1795500001100,
  SuspendOrganizations1795500001200,
  DeepenCheckouts1795500001300,
  BuildWithoutCaches1795500001400,
  NumberBuildsByFormFactor1795500002100,
  KeepWordsOfPeople1795500004100,
  RememberGoodDeployments1795500004200,
  IndexEventsOfObjects1795500004300,
  BuildByAutomations1795500005100,
  LookAtRepositories1795500005200,
  ReceiveGitEvents1795500006100,
  AllowBranches1795500007100,
  FindLinksByRepository1795500007200,
  IndexJobLogs1795500200100,
  AnnounceInboxes1795500400100,
  SampleDevices1795500500100,
  KeepLastReports1795500590100,
  CompareContent1795500595100,
  RememberNativeVersions1795500600100,
  SetEventsAside1795500700100,
  IndexEventsSetAside1795500700101,
  CountEpochs1795500800100,
];
