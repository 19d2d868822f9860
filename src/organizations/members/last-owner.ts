import { Not, type Repository } from 'typeorm';
import type { Member } from './member.entity.js';

/** Whether the organization would have no owner without this member. Call it under `MembersQueries.lock`. */
export async function isLastOwner(members: Repository<Member>, member: Member): Promise<boolean> {
  const { organizationId, id, role } = member;
  return role === 'owner' && !(await members.existsBy({ organizationId, role: 'owner', id: Not(id) }));
}
