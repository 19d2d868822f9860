import { coversBundleId, type ProfileType } from '../../../../../common/provisioning-profiles.js';
import type { PayloadProfileDto } from '../../../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../../../../steps/build-run.js';
import type { SigningIdentity } from '../identity.js';
import { quoted, quotedList } from './quoted.js';
import type { TargetToSign } from './target-to-sign.js';

/** What a profile must fit. */
export interface ProfileNeeds {
  readonly type: ProfileType;
  readonly identity: Pick<SigningIdentity, 'fingerprint' | 'teamId'>;
  readonly now: Date;
}

/**
 * Chooses the profile of a target: for its bundle id before one with a wildcard, the longer before the shorter, then the one
 * that expires last.
 *
 * @param mapped the bundle id that `IOS_PROVISIONING_PROFILE_MAP` has for the target; `undefined`: none
 * @throws StepError when none fits
 */
export function chooseProfile(
  target: TargetToSign,
  profiles: readonly PayloadProfileDto[],
  needs: ProfileNeeds,
  mapped: string | undefined,
): PayloadProfileDto {
  const { bundleId } = target;
  const candidates =
    mapped === undefined ? profiles : profiles.filter((profile) => isFor(profile.bundleId, mapped));
  const covering = candidates
    .filter((profile) => coversBundleId(profile.bundleId, bundleId))
    .toSorted(compareFor(bundleId));
  const chosen = covering.find((profile) => problemOf(profile, needs) === null);
  if (chosen !== undefined) return chosen;
  const [nearest] = covering;
  if (nearest !== undefined) {
    const problem = problemOf(nearest, needs) ?? '';
    throw new StepError(
      'sign',
      `The provisioning profile ${quoted(nearest.name)} for ${named(target)} ${problem}.`,
    );
  }
  if (mapped !== undefined && candidates.length > 0) {
    throw new StepError(
      'sign',
      `IOS_PROVISIONING_PROFILE_MAP gives the target ${quoted(target.name)} the provisioning profiles for ${quoted(mapped)}, and its bundle id is ${quoted(bundleId)}.`,
    );
  }
  throw new StepError('sign', missing(target, profiles, needs, mapped));
}

function missing(
  target: TargetToSign,
  profiles: readonly PayloadProfileDto[],
  { type }: ProfileNeeds,
  mapped: string | undefined,
): string {
  const wish = mapped === undefined ? '' : `, for which IOS_PROVISIONING_PROFILE_MAP names ${quoted(mapped)}`;
  const begin = `There is no provisioning profile for ${named(target)}${wish}`;
  if (profiles.length === 0) return `${begin}: the certificate has none for the type ${type}.`;
  const bundleIds = [...new Set(profiles.map(({ bundleId }) => bundleId))];
  return `${begin}: those of the certificate are for ${quotedList(bundleIds)}.`;
}

function named({ name, bundleId }: TargetToSign): string {
  return `the target ${quoted(name)} with the bundle id ${quoted(bundleId)}`;
}

/** Whether a profile is meant by a bundle id of the map, which may have the wildcard of the profile itself. */
function isFor(profileBundleId: string, mapped: string): boolean {
  return profileBundleId === mapped || coversBundleId(profileBundleId, mapped);
}

function compareFor(bundleId: string): (a: PayloadProfileDto, b: PayloadProfileDto) => number {
  return (a, b) =>
    Number(b.bundleId === bundleId) - Number(a.bundleId === bundleId) ||
    b.bundleId.length - a.bundleId.length ||
    Date.parse(b.expiresAt) - Date.parse(a.expiresAt);
}

/** @returns `null`: it can sign */
function problemOf(profile: PayloadProfileDto, { type, identity, now }: ProfileNeeds): string | null {
  const { fingerprint, teamId } = identity;
  if (profile.type !== type) return `is for the type ${profile.type}, and this build has the type ${type}`;
  const expiresAt = new Date(profile.expiresAt);
  if (!(expiresAt > now)) return `expired on ${dayOf(expiresAt)}`;
  if (teamId !== null && profile.teamId !== teamId) {
    return `belongs to the team ${quoted(profile.teamId)}, and the certificate to ${quoted(teamId)}`;
  }
  if (!profile.certificateFingerprints.some((listed) => isSame(listed, fingerprint))) {
    return 'does not contain the certificate of this build';
  }
  return null;
}

function dayOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'an unknown day' : date.toISOString().slice(0, 10);
}

function isSame(a: string, b: string): boolean {
  const digits = (text: string): string => text.replaceAll(':', '').toLowerCase();
  return digits(a) === digits(b);
}
