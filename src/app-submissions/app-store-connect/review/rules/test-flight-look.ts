import type { ApplePlatform } from '../../../../common/apple-platforms.js';
import type { ReleaseLook } from '../../../releases/release-look.js';
import type { BuildBetaDetail } from '../../api/responses/apple-resources.js';
import { pageOf } from '../../testflight/rules/testflight-texts.js';

/** What is known about a build in TestFlight. */
export interface TestFlightFacts {
  readonly appleAppId: string;
  readonly platform: ApplePlatform | null;
  readonly buildUploadId?: string | undefined;
  /** Whether external testers are to get it: they do after Apple's beta review. */
  readonly hasExternalGroups: boolean;
  readonly known: Pick<ReleaseLook, 'status'> | null;
}

const SAID: Readonly<Record<string, Pick<ReleaseLook, 'status' | 'message'>>> = {
  READY_FOR_BETA_TESTING: { status: 'testing', message: 'It is in TestFlight.' },
  IN_BETA_TESTING: { status: 'testing', message: 'Testers have it.' },
  BETA_APPROVED: {
    status: 'testing',
    message: "Apple's beta review has approved it: its groups can test it.",
  },
  READY_FOR_BETA_SUBMISSION: {
    status: 'not_sent_for_review',
    message:
      'It was not sent to the beta review of Apple, which external testers need. Submit it again, or send it in TestFlight.',
  },
  WAITING_FOR_BETA_REVIEW: {
    status: 'waiting_for_review',
    message: "It waits for Apple's beta review. Internal testers have it already.",
  },
  IN_BETA_REVIEW: {
    status: 'in_review',
    message: "It is in Apple's beta review. Internal testers have it already.",
  },
  BETA_REJECTED: {
    status: 'rejected',
    message:
      "Apple's beta review has rejected it. Read why in App Store Connect, raise CFBundleVersion, and submit a new build.",
  },
  EXPIRED: {
    status: 'removed',
    message: 'It has expired, so testers cannot install it any more. Submit a new build.',
  },
};

/** Where a build is in TestFlight. */
export function lookOfBuild(
  { internalState, externalState }: BuildBetaDetail,
  { appleAppId, platform, buildUploadId, hasExternalGroups, known }: TestFlightFacts,
): ReleaseLook {
  const state = hasExternalGroups ? (externalState ?? internalState) : internalState;
  const said = SAID[state ?? ''] ?? {
    status: known?.status ?? 'testing',
    message: `TestFlight calls its state ${(state ?? 'nothing').slice(0, 60)}. See there what that means.`,
  };
  return {
    ...said,
    userFraction: null,
    resumeFraction: null,
    storeStatus: state,
    link: pageOf(appleAppId, platform, buildUploadId),
  };
}
