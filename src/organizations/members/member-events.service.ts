import { Injectable } from '@nestjs/common';
import type { Role } from '../../common/access/permissions.js';
import type { EventDefinition } from '../../events/event-definition.js';
import { EventsService } from '../../events/events.service.js';
import { type MemberEventDto, toMemberEventDto } from './member.dto.js';
import type { Member } from './member.entity.js';
import { memberAdded, memberRemoved, memberUpdated } from './members.events.js';

/** Records changes of members, in their transactions. */
@Injectable()
export class MemberEvents {
  constructor(private readonly events: EventsService) {}

  added(member: Member): Promise<void> {
    return this.record(memberAdded, member);
  }

  /** Does nothing if the role is the same. @param before the role before the change */
  async updated(member: Member, before: Role): Promise<void> {
    if (member.role !== before) await this.record(memberUpdated, member, before);
  }

  removed(member: Member): Promise<void> {
    return this.record(memberRemoved, member);
  }

  private record(
    definition: EventDefinition<MemberEventDto>,
    member: Member,
    previousRole: Role | null = null,
  ): Promise<void> {
    const data = toMemberEventDto(member, previousRole);
    return this.events.record(definition, {
      organizationId: member.organizationId,
      objectId: member.id,
      data,
    });
  }
}
