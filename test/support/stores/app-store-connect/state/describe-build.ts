import { type Build, externalState, internalState } from './builds.ts';
import type { Platform } from './connect-state.ts';

/** A build as a person sees it in TestFlight. */
export interface AcceptedBuild {
  readonly id: string;
  readonly uploadId: string | null;
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string;
  readonly sha256: string;
  readonly size: number;
  readonly processingState: Build['processingState'];
  readonly usesNonExemptEncryption: boolean | null;
  /** Names of the groups that it was added to. */
  readonly groups: readonly string[];
  /** What to test, by language; without those that have no words. */
  readonly notes: Readonly<Record<string, string>>;
  readonly internalState: string;
  readonly externalState: string;
  /** `null`: it was never submitted. */
  readonly review: string | null;
}

export function describeBuild(build: Build): AcceptedBuild {
  const { id, app, platform, version, buildNumber, sha256, size, processingState } = build;
  return {
    id,
    uploadId: build.upload?.id ?? null,
    platform,
    version,
    buildNumber,
    sha256,
    size,
    processingState,
    usesNonExemptEncryption: build.usesNonExemptEncryption,
    groups: app.groups.filter(({ builds }) => builds.has(id)).map(({ name }) => name),
    notes: Object.fromEntries(
      build.localizations.flatMap(({ locale, whatsNew }) => (whatsNew === null ? [] : [[locale, whatsNew]])),
    ) as Record<string, string>,
    internalState: internalState(build),
    externalState: externalState(build),
    review: build.review?.state ?? null,
  };
}
