import { invalidField } from '../../../common/errors/app-error.js';
import { type AppleDestination, isScheduled } from '../submittable-destination.js';

const FIELD = 'appleEarliestReleaseDate';
const HOUR = 3_600_000;

/**
 * @param at when the version is to go live at the earliest; `null`: the request says nothing
 * @param now by the clock of the database
 * @throws InvalidRequestError when the destination wants no date, or another one: Apple takes whole hours
 */
export function requireEarliestRelease(destination: AppleDestination, at: Date | null, now: Date): void {
  if (at === null) {
    if (!isScheduled(destination)) return;
    throw invalidField(
      FIELD,
      `${FIELD} is required: the destination releases at a date (appleReleaseType scheduled).`,
    );
  }
  if (!isScheduled(destination)) {
    throw invalidField(
      FIELD,
      `${FIELD} must be absent: it is only for destinations with appleSubmitForReview and the appleReleaseType scheduled.`,
    );
  }
  if (at.getTime() % HOUR !== 0) {
    throw invalidField(
      FIELD,
      `${FIELD} must be a whole hour, such as ${nextHour(at)}: Apple takes no others.`,
    );
  }
  if (at <= now) throw invalidField(FIELD, `${FIELD} must be in the future.`);
}

function nextHour(at: Date): string {
  return new Date(Math.ceil(at.getTime() / HOUR) * HOUR).toISOString();
}
