import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TokenChanges } from '../../accounts/tokens/token-changes.js';
import type { Token } from '../../accounts/tokens/token.entity.js';
import type { EventDefinition } from '../../events/event-definition.js';
import { EventsService } from '../../events/events.service.js';
import { toTokenEventDto, type TokenEventDto } from './token-event.dto.js';
import { TokenEventsQueries } from './token-events.queries.js';
import { tokenCreated, tokenDeleted, tokenRotated, tokenUpdated } from './tokens.events.js';

/** Records changes of API tokens in each organization that they can see. */
@Injectable()
export class TokenEvents implements OnModuleInit {
  constructor(
    private readonly changes: TokenChanges,
    private readonly queries: TokenEventsQueries,
    private readonly events: EventsService,
  ) {}

  onModuleInit(): void {
    this.changes.created.register((token) => this.record(tokenCreated, token));
    this.changes.updated.register(async (token, before) => {
      if (isChanged(token, before)) await this.record(tokenUpdated, token, before);
    });
    this.changes.rotated.register((token) => this.record(tokenRotated, token));
    this.changes.deleted.register((token) => this.record(tokenDeleted, token));
  }

  /** @param before as it was before the change: it may have seen other organizations */
  private async record(
    definition: EventDefinition<TokenEventDto>,
    token: Token,
    before: Token = token,
  ): Promise<void> {
    const seen = await this.queries.organizationsOf(token);
    const organizationIds =
      before === token ? seen : [...seen, ...(await this.queries.organizationsOf(before))];
    for (const organizationId of new Set(organizationIds)) {
      const data = toTokenEventDto(token);
      await this.events.record(definition, { organizationId, objectId: token.id, data });
    }
  }
}

/** Requests can ask for what is there already. */
function isChanged(token: Token, before: Token): boolean {
  const changeable = ({ name, expiresAt, permissions, organizationIds, appIds }: Token): string =>
    JSON.stringify([name, expiresAt, permissions, organizationIds, appIds]);
  return changeable(token) !== changeable(before);
}
