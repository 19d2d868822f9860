import { errorOf } from '../../common/errors/app-error.js';
import type { Member } from './member.entity.js';
import type { MembersQueries } from './members.queries.js';

/**
 * Whether the organization would have no enabled owner without this member. Call it under `MembersQueries.lock`. The
 * owner who remains is not disabled before the transaction ends.
 */
export async function isLastOwner(queries: MembersQueries, member: Member): Promise<boolean> {
  return member.role === 'owner' && !(await queries.lockOtherOwner(member.organizationId, member.id));
}

/** @throws ForbiddenError when the member is not an owner */
export function requireOwner({ role }: Member): void {
  if (role === 'owner') return;
  throw errorOf('owner_required');
}
