import type { ProfileType } from '../../../../../common/provisioning-profiles.js';
import type { PayloadProfileDto } from '../../../../../native-builds/runner-builds/build-payload.dto.js';
import { type BuildRun, StepError, variableOf } from '../../../../steps/build-run.js';
import { readIdentity, type SigningIdentity } from '../identity.js';
import { chooseProfile } from './choose-profile.js';
import { quoted, quotedList } from './quoted.js';
import type { TargetToSign } from './target-to-sign.js';

const NAME = 'IOS_PROVISIONING_PROFILE_MAP';

/** Apple's characters for bundle ids, and a wildcard as its last part. */
const BUNDLE_ID = /^(\*|[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(\.\*)?)$/;
const MAX_LENGTH = 255;
const EXAMPLE = '{"com.example.app.widget": "WidgetExtension"}';

/** Which profile signs which target. */
export interface SigningPlan {
  readonly teamId: string;
  readonly type: ProfileType;
  readonly targets: readonly PlannedTarget[];
}

export interface PlannedTarget {
  readonly target: string;
  readonly bundleId: string;
  readonly profile: PayloadProfileDto;
}

/**
 * Chooses the profile of each target among those of the certificate.
 *
 * @throws StepError that names the target, its bundle id and what the profiles are for
 */
export function planSigning(
  run: Pick<BuildRun, 'payload'>,
  type: ProfileType,
  targets: readonly TargetToSign[],
  now = new Date(),
): SigningPlan {
  const { certificate } = run.payload;
  if (certificate === null) {
    throw new StepError('sign', `A build of the type ${type} needs a certificate, and this one has none.`);
  }
  if (targets.length === 0) throw new StepError('sign', 'The project has no target that can be signed.');
  const map = readProfileMap(
    run,
    targets.map(({ name }) => name),
  );
  const identity = readIdentity(certificate);
  requireValid(identity, now);
  const needs = { type, identity, now };
  const planned = targets.map((target) => ({
    target: target.name,
    bundleId: target.bundleId,
    profile: chooseProfile(target, certificate.profiles, needs, map.get(target.name)),
  }));
  return { teamId: onlyTeamOf(planned), type, targets: planned };
}

function requireValid({ certificate, commonName }: SigningIdentity, now: Date): void {
  const [from, to] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  const day = (date: Date): string => date.toISOString().slice(0, 10);
  if (to <= now) {
    throw new StepError(
      'sign',
      `The certificate ${quoted(commonName)} expired on ${day(to)}: Apple's tools do not sign with it.`,
    );
  }
  if (from > now) {
    throw new StepError('sign', `The certificate ${quoted(commonName)} is valid from ${day(from)} on only.`);
  }
}

/** An app and its extensions have one team. The certificate may not name it. */
function onlyTeamOf(targets: readonly PlannedTarget[]): string {
  const [teamId = '', ...others] = new Set(targets.map(({ profile }) => profile.teamId));
  if (others.length === 0) return teamId;
  throw new StepError(
    'sign',
    `The provisioning profiles of the targets belong to several teams: ${quotedList([teamId, ...others])}.`,
  );
}

/**
 * Which target gets the profiles of which bundle id, as the variable `IOS_PROVISIONING_PROFILE_MAP` says:
 * `{bundleId: targetName}`.
 *
 * @param targets names of those that are signed
 * @returns bundle ids by target; empty: the variable is not set
 * @throws StepError when the variable is not such an object, or names other targets
 */
function readProfileMap(
  run: Pick<BuildRun, 'payload'>,
  targets: readonly string[],
): ReadonlyMap<string, string> {
  const text = (variableOf(run, NAME) ?? '').trim();
  const map = new Map<string, string>();
  if (text === '') return map;
  for (const [bundleId, target] of entriesOf(text)) {
    if (bundleId.length > MAX_LENGTH || !BUNDLE_ID.test(bundleId)) {
      throw new StepError('sign', `${NAME} has the key ${quoted(bundleId)}, which is no bundle id.`);
    }
    if (typeof target !== 'string') {
      throw new StepError('sign', `${NAME} must have the name of a target for ${quoted(bundleId)}.`);
    }
    if (!targets.includes(target)) {
      throw new StepError(
        'sign',
        `${NAME} names the target ${quoted(target)}, and the targets that are signed are ${quotedList(targets)}.`,
      );
    }
    const other = map.get(target);
    if (other !== undefined) {
      throw new StepError(
        'sign',
        `${NAME} has two bundle ids for the target ${quoted(target)}: ${quotedList([other, bundleId])}.`,
      );
    }
    map.set(target, bundleId);
  }
  return map;
}

function entriesOf(text: string): [string, unknown][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StepError(
      'sign',
      `${NAME} must be a JSON object of bundle ids and names of targets, such as ${EXAMPLE}.`,
    );
  }
  return Object.entries(value);
}
