import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isNotExpiring } from '../../events/expiry.js';
import { ThresholdEvents } from '../../events/threshold-events.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { toTokenEventDto, type TokenExpiringEventDto } from './token-event.dto.js';
import { type ExpiringToken, TOKEN_THRESHOLDS, TokenEventsQueries } from './token-events.queries.js';
import { tokenExpiring } from './tokens.events.js';

/** Records events of API tokens that expire, in each organization that they can see. */
@Injectable()
export class ExpiringTokens implements OnModuleInit {
  constructor(
    private readonly queries: TokenEventsQueries,
    private readonly thresholds: ThresholdEvents,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'expiring-tokens',
      cron: '15 * * * *',
      timeoutSeconds: 600,
      run: () => this.run(),
    });
  }

  private run(): Promise<void> {
    return this.thresholds.crossExpiring<TokenExpiringEventDto, ExpiringToken>({
      definition: tokenExpiring,
      kind: 'token-expiring',
      thresholds: TOKEN_THRESHOLDS,
      find: (kind, size) => this.queries.expiring(kind, size),
      isOver: (threshold) => isNotExpiring('tokens', threshold),
      happeningOf: (token) => ({
        organizationId: token.organizationId,
        objectId: token.id,
        data: {
          ...toTokenEventDto(token),
          threshold: token.threshold as TokenExpiringEventDto['threshold'],
        },
      }),
    });
  }
}
