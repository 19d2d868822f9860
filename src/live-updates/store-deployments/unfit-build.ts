import { invalidField } from '../../common/errors/app-error.js';

/** @param what follows “a build”, without a full stop @returns the error about a build that cannot be submitted */
export function unfitBuild(what: string): Error {
  return invalidField('appBuildId', `appBuildId must be a build ${what}.`);
}
