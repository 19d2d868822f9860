import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { Role } from '../../common/access/permissions.js';
import { insertOrThrow } from '../../database/rows.js';
import { Member } from './member.entity.js';

@Injectable()
export class MembersService {
  constructor(@InjectRepository(Member) private readonly members: Repository<Member>) {}

  /** The role of a user in an organization; `null` when it is no member. */
  async roleOf(userId: string, organizationId: string): Promise<Role | null> {
    const member = await this.members.findOne({ select: { role: true }, where: { userId, organizationId } });
    return member?.role ?? null;
  }

  /** The organizations that a user is a member of, with its roles there. */
  listOf(userId: string): Promise<Pick<Member, 'organizationId' | 'role'>[]> {
    return this.members.find({ select: { organizationId: true, role: true }, where: { userId } });
  }

  create(tx: EntityManager, organizationId: string, userId: string, role: Role): Promise<Member> {
    return insertOrThrow(tx.withRepository(this.members), { organizationId, userId, role });
  }
}
