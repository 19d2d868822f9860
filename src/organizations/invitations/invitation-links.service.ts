import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { hashToken } from '../../common/access/api-token.js';
import { Config } from '../../config/config.js';
import { insertOrThrow } from '../../database/rows.js';
import type { Invitation } from './invitation.entity.js';
import { InvitationLink } from './invitation-link.entity.js';
import { InvitationsQueries, type LinkedInvitation } from './invitations.queries.js';

/** Where the links lead. The log has no queries, so the secret is in the query. */
export const INVITATION_LINK_PATH = '/join';

/** Makes and finds the links of invitations. Their secrets are only in the links. */
@Injectable()
export class InvitationLinksService {
  /** Whether people without an account create one with a link. */
  readonly enabled: boolean;

  constructor(
    @InjectRepository(InvitationLink) private readonly links: Repository<InvitationLink>,
    private readonly queries: InvitationsQueries,
    config: Config,
  ) {
    this.enabled = config.signIn.local && config.signIn.invitationsCreateAccounts;
  }

  /**
   * Makes a link of an open invitation, besides those that it has. Links of the organization's ended invitations are
   * removed.
   *
   * @param mailed whether only the invited address receives it
   * @returns path and query
   */
  async create({ id, organizationId }: Invitation, mailed: boolean): Promise<string> {
    const secret = randomBytes(24).toString('base64url');
    await this.queries.deleteEndedLinks(organizationId);
    await insertOrThrow(this.links, { invitationId: id, hash: hashToken(secret), mailed });
    return `${INVITATION_LINK_PATH}?token=${secret}`;
  }

  /**
   * Finds the invitation of a link, and leaves the link unchanged: programs open links, too, to preview them.
   *
   * @param secret from the link
   * @returns `null` when the link is unknown, or the invitation is no longer open
   */
  find(secret: string): Promise<LinkedInvitation | null> {
    return this.queries.findByLink(hashToken(secret));
  }
}
