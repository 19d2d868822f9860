import type { ProfileType } from '../../../../../common/provisioning-profiles.js';
import type { PayloadProfileDto } from '../../../../../native-builds/runner-builds/build-payload.dto.js';
import { type BuildRun, StepError } from '../../../../steps/build-run.js';

/** A target of an Xcode project that gets a profile: an app, an extension, a watch app or an app clip. */
export interface TargetToSign {
  readonly name: string;
  readonly bundleId: string;
}

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
): SigningPlan {
  if (run.payload.certificate === null) {
    throw new StepError('sign', `A build of the type ${type} needs a certificate, and this one has none.`);
  }
  return { teamId: '', type, targets: targets.map(() => unplanned()) };
}

function unplanned(): never {
  throw new StepError('sign', 'The certificate has no provisioning profile.');
}
