import { defineEvent, type EventFacts } from '../../events/event-definition.js';
import { MemberEventDto } from './member.dto.js';

export const memberAdded = defineEvent<MemberEventDto>({
  type: 'member_added',
  title: 'Member added',
  description:
    'A user has become a member of the organization: by its creation, an invitation or a group, or through the operator.',
  permission: 'members:read',
  of: 'organization',
  data: MemberEventDto,
  facts: factsOf,
});

export const memberUpdated = defineEvent<MemberEventDto>({
  type: 'member_updated',
  title: 'Role of a member changed',
  description: 'A member of the organization has another role.',
  permission: 'members:read',
  of: 'organization',
  data: MemberEventDto,
  facts: factsOf,
});

export const memberRemoved = defineEvent<MemberEventDto>({
  type: 'member_removed',
  title: 'Member removed',
  description: 'A member was removed from the organization, has left it, or has left the group.',
  permission: 'members:read',
  of: 'organization',
  data: MemberEventDto,
  facts: factsOf,
});

function factsOf({ role, previousRole, fromGroups }: MemberEventDto): EventFacts {
  return { Role: role, Before: previousRole, Source: fromGroups ? 'OpenID group' : null };
}
