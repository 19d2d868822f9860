import { invalidField } from '../../common/errors/app-error.js';
import type { CreateDeploymentDto } from './create-deployment.dto.js';

/**
 * Whether a request deploys to a store, not to a channel.
 *
 * @throws InvalidRequestError when it names both, or has fields that are for the other
 */
export function isForStore(body: CreateDeploymentDto): boolean {
  const forChannel = Boolean(body.appChannelId ?? body.appChannelName);
  const forStore = Boolean(body.appDestinationId ?? body.appDestinationName);
  if (forStore && forChannel) {
    throw invalidField('appDestinationId', 'appDestinationId must be absent: the request names a channel.');
  }
  if (forStore && body.notes != null) {
    throw invalidField('notes', 'notes must be absent: texts for a store are in releaseNotes.');
  }
  if (forStore && body.maxNativeVersion != null) {
    throw invalidField(
      'maxNativeVersion',
      'maxNativeVersion must be absent: it is only for deployments to channels.',
    );
  }
  if (forStore) return true;
  if (body.inAppUpdatePriority != null) throw onlyForDestinations('inAppUpdatePriority');
  if (body.cancelRunningReview) throw onlyForDestinations('cancelRunningReview');
  if (body.acceptNewSigner) throw onlyForDestinations('acceptNewSigner');
  if (body.appleEarliestReleaseDate != null) throw onlyForDestinations('appleEarliestReleaseDate');
  if (body.force) throw onlyForDestinations('force');
  return false;
}

function onlyForDestinations(field: string): Error {
  return invalidField(field, `${field} must be absent: it is only for deployments to destinations.`);
}
