const DAY = 24 * 60 * 60 * 1000;

/** The time until which the packages of a license key cannot be changed. @param lockDays `LICENSE_KEY_LOCK_DAYS` */
export function lockedUntil(packagesChangedAt: Date, lockDays: number): Date {
  return new Date(packagesChangedAt.getTime() + lockDays * DAY);
}
