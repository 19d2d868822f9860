import type { ApplePlatform } from '../../../common/apple-platforms.js';
import type { AppleReleaseType } from '../../destinations/destination.entity.js';
import type { ReleaseLook } from '../../releases/release-look.js';
import type { BuildBetaDetail } from '../api/apple-resources.js';
import type { AppVersion, PhasedRelease } from '../api/app-store-resources.js';
import { pageOf, versionPage } from '../apple-pages.js';

/** The share of users on each day: https://developer.apple.com/help/app-store-connect/update-your-app/release-a-version-update-in-phases/. */
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const;

/** The days that a phased release takes. */
const PHASED_DAYS = SHARES.length;

/** What is known about a version besides its state. */
export interface VersionFacts {
  readonly appleAppId: string;
  readonly platform: ApplePlatform | null;
  /** Of the release: another build in its version is another release. */
  readonly buildId: string;
  readonly releaseType: AppleReleaseType | null;
  readonly earliestReleaseAt: Date | null;
  /** `null`: nothing yet. */
  readonly known: Pick<ReleaseLook, 'status'> | null;
}

/** What is known about a build in TestFlight. */
export interface TestFlightFacts {
  readonly appleAppId: string;
  readonly platform: ApplePlatform | null;
  readonly buildUploadId?: string | undefined;
  /** Whether external testers are to get it: they do after Apple's beta review. */
  readonly hasExternalGroups: boolean;
  readonly known: Pick<ReleaseLook, 'status'> | null;
}

type Said = Pick<ReleaseLook, 'status' | 'message'> &
  Partial<Pick<ReleaseLook, 'userFraction' | 'resumeFraction'>>;

const OF_BUILDS: Readonly<Record<string, Pick<ReleaseLook, 'status' | 'message'>>> = {
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

/** Where a version is, and what it means. */
export function lookOfVersion(version: AppVersion, facts: VersionFacts): ReleaseLook {
  const { appleAppId, platform } = facts;
  const isOther = hasOtherBuild(version, facts);
  const said = isOther ? withOtherBuild(facts) : saidBy(version, facts);
  const isLive = ['released', 'rolling_out', 'paused', 'replaced'].includes(said.status);
  return {
    userFraction: null,
    resumeFraction: null,
    storeStatus: isOther ? null : version.state,
    link: versionPage(appleAppId, platform, isLive),
    ...said,
  };
}

/** Where a version is that App Store Connect does not have. */
export function lookOfNothing({ appleAppId, platform }: VersionFacts): ReleaseLook {
  return {
    status: 'removed',
    userFraction: null,
    resumeFraction: null,
    message: 'App Store Connect does not have the version any more. Submit the build again to release it.',
    storeStatus: null,
    link: versionPage(appleAppId, platform),
  };
}

/** Where a build is in TestFlight. */
export function lookOfBuild(
  { internalState, externalState }: BuildBetaDetail,
  { appleAppId, platform, buildUploadId, hasExternalGroups, known }: TestFlightFacts,
): ReleaseLook {
  const state = hasExternalGroups ? (externalState ?? internalState) : internalState;
  const said = OF_BUILDS[state ?? ''] ?? {
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

/** Versions are used again: for the next build after a rejection or a withdrawal, also with another version string. */
function hasOtherBuild({ buildId }: AppVersion, facts: VersionFacts): boolean {
  return buildId !== null && buildId !== facts.buildId;
}

function withOtherBuild(facts: VersionFacts): Said {
  const message = 'Its version in App Store Connect has another build now, so users do not get this one.';
  if (facts.known?.status === 'rejected') return { status: 'rejected', message };
  return { status: wasInReview(facts) ? 'withdrawn' : 'replaced', message };
}

function saidBy(version: AppVersion, facts: VersionFacts): Said {
  switch (version.state) {
    case 'PREPARE_FOR_SUBMISSION':
    case 'READY_FOR_REVIEW':
      return wasInReview(facts) ? WITHDRAWN : NOT_SENT;
    case 'DEVELOPER_REJECTED':
      return WITHDRAWN;
    case 'WAITING_FOR_REVIEW':
      return waiting('It waits for the review of the App Store, which often takes a day or two.');
    case 'WAITING_FOR_EXPORT_COMPLIANCE':
      return waiting('It waits until Apple has approved the documents about its encryption.');
    case 'IN_REVIEW':
      return { status: 'in_review', message: 'The App Store is reviewing it.' };
    case 'REJECTED':
      return rejected(
        'The review has rejected it. Read why in App Store Connect, and submit a build that settles it; or answer the review there.',
      );
    case 'METADATA_REJECTED':
      return rejected(
        'The review has rejected its texts or pictures. Correct them in App Store Connect, then submit the same build again.',
      );
    case 'INVALID_BINARY':
      return rejected(
        'Apple cannot use its build. Read why in App Store Connect, raise CFBundleVersion, and submit a new build.',
      );
    case 'READY_FOR_DISTRIBUTION':
      return live(version.phasedRelease);
    case 'REPLACED_WITH_NEW_VERSION':
      return { status: 'replaced', message: 'A newer version has replaced it.' };
    default:
      return approved(version.state, facts) ?? unknown(version.state, facts);
  }
}

const NOT_SENT: Said = {
  status: 'not_sent_for_review',
  message:
    'The version is in App Store Connect, and not in review. Submit the build again, or send it for review there.',
};
const WITHDRAWN: Said = {
  status: 'withdrawn',
  message: 'It was taken out of the review. Submit the build again when it can be reviewed.',
};

/** The state is the one of a version that was never sent, but this one was. */
function wasInReview({ known }: VersionFacts): boolean {
  return (
    known !== null && ['waiting_for_review', 'in_review', 'approved', 'withdrawn'].includes(known.status)
  );
}

function waiting(message: string): Said {
  return { status: 'waiting_for_review', message };
}

function rejected(message: string): Said {
  return { status: 'rejected', message };
}

function approved(state: string | null, { releaseType, earliestReleaseAt }: VersionFacts): Said | null {
  const date = earliestReleaseAt?.toISOString().slice(0, 16).replace('T', ' ');
  const own = 'release it with POST …/deployments/{id}/release, or in App Store Connect';
  const byType: Readonly<Record<string, string>> = {
    'after-approval': 'Approved. Apple releases it by itself.',
    scheduled: `Approved. It goes live ${date === undefined ? 'on its date' : `at ${date} UTC`}; or ${own}.`,
  };
  const messages: Readonly<Record<string, string>> = {
    PENDING_DEVELOPER_RELEASE: byType[releaseType ?? ''] ?? `Approved. It waits for you: ${own}.`,
    PENDING_APPLE_RELEASE:
      'Approved. Apple releases it, together with something else of Apple that it needs.',
    PROCESSING_FOR_DISTRIBUTION:
      'Approved and released: Apple is bringing it to the App Store, which can take a day.',
    ACCEPTED:
      'The review has accepted it, but not all that was submitted with it. See the submission in App Store Connect, and settle the rest there.',
  };
  const message = messages[state ?? ''];
  return message === undefined ? null : { status: 'approved', message };
}

function unknown(state: string | null, { known }: VersionFacts): Said {
  return {
    status: known?.status ?? 'waiting_for_review',
    message: `App Store Connect calls its state ${(state ?? 'nothing').slice(0, 60)}. See there what that means.`,
  };
}

function live(phased: PhasedRelease | null): Said {
  if (phased === null || phased.state === 'COMPLETE')
    return { status: 'released', userFraction: 1, message: 'All users get it.' };
  const share = shareOf(phased);
  const percent = `${Math.round(share * 100)} %`;
  if (phased.state === 'PAUSED') {
    return {
      status: 'paused',
      userFraction: 0,
      resumeFraction: share,
      message: `The phased release is paused at ${percent}: ${share} resumes it, and 1 completes it. Apple ends pauses of more than 30 days in all. Everybody can get the version by hand.`,
    };
  }
  return {
    status: 'rolling_out',
    userFraction: share,
    message: `Day ${Math.min(phased.dayNumber ?? 1, PHASED_DAYS)} of ${PHASED_DAYS} of the phased release: ${percent} of the users with automatic updates get it, and everybody can get it by hand.`,
  };
}

/** The share of users with automatic updates that a phased release gives the version to, 0.01 to 1. */
function shareOf({ dayNumber }: PhasedRelease): number {
  return SHARES[Math.min(dayNumber ?? 1, PHASED_DAYS) - 1] ?? 1;
}
