import { CreateTables1795233859029 } from './1795233859029-create-tables.js';
import { KeepBlobsOfDeletedOrganizations1795236240245 } from './1795236240245-keep-blobs-of-deleted-organizations.js';
import { CreateInvitations1795236705012 } from './1795236705012-create-invitations.js';
import { AddSessions1795236828852 } from './1795236828852-add-sessions.js';
import { CreateTeams1795237031428 } from './1795237031428-create-teams.js';
import { AddTokenLimits1795237056467 } from './1795237056467-add-token-limits.js';
import { AddPasswordsAndSecondFactors1795237691358 } from './1795237691358-add-passwords-and-second-factors.js';
import { CreateLicenseKeys1795239140730 } from './1795239140730-create-license-keys.js';
import { StoreResponses1795242514232 } from './1795242514232-store-responses.js';
import { CreateRateCounts1795242547974 } from './1795242547974-create-rate-counts.js';
import { CreateAuditLog1795242668744 } from './1795242668744-create-audit-log.js';
import { AddIdentitiesOfOpenidProviders1795242913529 } from './1795242913529-add-identities-of-openid-providers.js';
import { MailInvitations1795243318055 } from './1795243318055-mail-invitations.js';
import { RememberRequestedChannels1795244239394 } from './1795244239394-remember-requested-channels.js';
import { AddBlobVariants1795244696721 } from './1795244696721-add-blob-variants.js';
import { AddBundleDeltas1795244696722 } from './1795244696722-add-bundle-deltas.js';
import { VerifyPublishedBytes1795244940607 } from './1795244940607-verify-published-bytes.js';
import { NoteSecondFactorsOfTokens1795245653194 } from './1795245653194-note-second-factors-of-tokens.js';
import { AddInsightsAndPrivacy1795247192112 } from './1795247192112-add-insights-and-privacy.js';
import { GovernAndPlanDeployments1795247300208 } from './1795247300208-govern-and-plan-deployments.js';
import { AnnounceReleases1795263000000 } from './1795263000000-announce-releases.js';
import { AddBundleRetention1795263864218 } from './1795263864218-add-bundle-retention.js';
import { OrderLongListsByIndex1795266300819 } from './1795266300819-order-long-lists-by-index.js';
import { SeparateUploadsFromBundleFiles1795266400000 } from './1795266400000-separate-uploads-from-bundle-files.js';

/** Every migration, in order of their times. An explicit list, because a bundle has no files to search. */
export const migrations = [
  CreateTables1795233859029,
  KeepBlobsOfDeletedOrganizations1795236240245,
  CreateInvitations1795236705012,
  AddSessions1795236828852,
  CreateTeams1795237031428,
  AddTokenLimits1795237056467,
  AddPasswordsAndSecondFactors1795237691358,
  CreateLicenseKeys1795239140730,
  StoreResponses1795242514232,
  CreateRateCounts1795242547974,
  CreateAuditLog1795242668744,
  AddIdentitiesOfOpenidProviders1795242913529,
  MailInvitations1795243318055,
  RememberRequestedChannels1795244239394,
  AddBlobVariants1795244696721,
  AddBundleDeltas1795244696722,
  VerifyPublishedBytes1795244940607,
  NoteSecondFactorsOfTokens1795245653194,
  AddInsightsAndPrivacy1795247192112,
  GovernAndPlanDeployments1795247300208,
  AnnounceReleases1795263000000,
  AddBundleRetention1795263864218,
  OrderLongListsByIndex1795266300819,
  SeparateUploadsFromBundleFiles1795266400000,
];
