/**
 * A condition of SQL: the organization is not suspended.
 *
 * @param organizationId an SQL expression, such as `job.organization_id`
 */
export const notSuspended = (organizationId: string): string =>
  `NOT EXISTS (SELECT FROM organizations WHERE suspended_at IS NOT NULL AND organizations.id = ${organizationId})`;

/**
 * An SQL expression: the time, or when the organization was resumed last, if that was later. What waits during a
 * suspension has its whole time again afterwards.
 *
 * @param time an SQL expression, as `organizationId`
 */
export const orResumed = (time: string, organizationId: string): string =>
  `greatest(${time}, (SELECT resumed_at FROM organizations WHERE organizations.id = ${organizationId}))`;
