import { type ProfileType, profileTypes } from '../../../common/provisioning-profiles.js';
import { type BuildRun, StepError } from '../../steps/build-run.js';

/** `simulator` is signed by nothing; the others are those of provisioning profiles. */
export type IosBuildType = 'simulator' | ProfileType;

const types: readonly string[] = ['simulator', ...profileTypes];

/** @throws StepError when this runner does not know it */
export function iosBuildTypeOf({ payload }: Pick<BuildRun, 'payload'>): IosBuildType {
  const { type } = payload.build;
  if (type !== null && isIosBuildType(type)) return type;
  throw new StepError(
    'configuration',
    `This runner does not know iOS builds of the type ${JSON.stringify((type ?? 'none').slice(0, 50))}: update it.`,
  );
}

function isIosBuildType(type: string): type is IosBuildType {
  return types.includes(type);
}
