import type { BuildPayloadDto } from '../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../build-run.js';

/** What a configuration replaces in a project; `null`: as in the project. */
export type Overrides = Readonly<NonNullable<BuildPayloadDto['configuration']>>;

/**
 * What the configuration of a build replaces.
 *
 * @returns `null`: nothing
 * @throws StepError when a value cannot be written to any file
 */
export function overridesOf({ configuration }: BuildPayloadDto): Overrides | null {
  if (configuration === null) return null;
  const values = Object.values(configuration);
  if (values.every((value) => value === null)) return null;
  if (values.some((value) => typeof value === 'string' && /\p{Cc}/u.test(value))) {
    throw new StepError('configuration', 'The configuration has a value with control characters.');
  }
  return configuration;
}
