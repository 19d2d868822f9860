import { ConflictError } from '../../common/errors/app-error.js';
import type { BuildArtifact } from './build-artifact.entity.js';

/**
 * What a runner has built changes only with its job: neither its files nor its status can be set by requests of users.
 *
 * @throws ConflictError
 */
export function requireUploadedByUser({ status, announcedSha256 }: BuildArtifact): void {
  if (status === 'pending' && announcedSha256 !== null) {
    throw new ConflictError('A runner is making this bundle. It is published when its job succeeds.');
  }
}
