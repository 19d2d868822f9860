import { GoneError } from '../../common/errors/app-error.js';
import { cursorOf } from './cursor.js';
import type { FeedBounds } from './feed.queries.js';

/** 410: the retention has deleted events after a cursor, or there never were as many. */
export function deletedError(bounds: FeedBounds): GoneError {
  return expired('The events after this cursor are deleted.', bounds);
}

/** 410: a cursor counts positions of another epoch than the current one. */
export function otherEpochError(bounds: FeedBounds): GoneError {
  return expired('The database was restored from a backup, and this cursor is from another epoch.', bounds);
}

function expired(
  reason: string,
  { organizationId, epoch, deletedPosition: position }: FeedBounds,
): GoneError {
  const oldest = cursorOf(organizationId, { epoch, position });
  return new GoneError(`${reason} Continue with the oldest one: ${oldest}`, 'cursor_expired');
}
