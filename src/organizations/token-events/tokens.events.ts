import { defineEvent, type EventFacts } from '../../events/event-definition.js';
import { minuteOf } from '../../events/facts.js';
import { TokenEventDto, TokenExpiringEventDto } from './token-event.dto.js';

export const tokenCreated = defineEvent<TokenEventDto>({
  type: 'token_created',
  title: 'API token created',
  description: 'A member has created an API token that can see the organization.',
  permission: 'members:read',
  of: 'organization',
  data: TokenEventDto,
  facts: factsOf,
});

export const tokenUpdated = defineEvent<TokenEventDto>({
  type: 'token_updated',
  title: 'API token changed',
  description:
    'The name, the expiry or the limits of an API token that can see the organization, or could before, were changed.',
  permission: 'members:read',
  of: 'organization',
  data: TokenEventDto,
  facts: factsOf,
});

export const tokenRotated = defineEvent<TokenEventDto>({
  type: 'token_rotated',
  title: 'API token rotated',
  description: 'An API token that can see the organization has a new secret.',
  permission: 'members:read',
  of: 'organization',
  data: TokenEventDto,
  facts: factsOf,
});

export const tokenDeleted = defineEvent<TokenEventDto>({
  type: 'token_deleted',
  title: 'API token deleted',
  description: 'An API token that could see the organization was revoked.',
  permission: 'members:read',
  of: 'organization',
  data: TokenEventDto,
  facts: factsOf,
});

export const tokenExpiring = defineEvent<TokenExpiringEventDto>({
  type: 'token_expiring',
  title: 'API token expires',
  description: 'An API token that can see the organization expires in 7 days or in a day.',
  permission: 'members:read',
  of: 'organization',
  data: TokenExpiringEventDto,
  facts: factsOf,
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'user',
    advice:
      'Rotate the token with POST …/rotate, or move its expiry with PATCH, and give programs the new one.',
    path: ({ objectId }) => `/v1/tokens/${objectId}`,
    page: () => '/settings/tokens',
  },
});

function factsOf({ name, permissions, expiresAt }: TokenEventDto): EventFacts {
  const allowed = typeof permissions === 'string' ? permissions : permissions.join(', ');
  return { Token: name, Permissions: allowed, Expires: expiresAt === null ? null : minuteOf(expiresAt) };
}
