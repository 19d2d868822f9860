import { SetMetadata } from '@nestjs/common';

export const ORGANIZATION_IN_QUERY = 'slipway:organization-in-query';

/**
 * A list of what belongs to apps of one organization, which the query names as `organizationId`. The handler limits it to
 * the apps that the caller can see.
 */
export function OrganizationInQuery(): MethodDecorator {
  return SetMetadata(ORGANIZATION_IN_QUERY, true);
}
