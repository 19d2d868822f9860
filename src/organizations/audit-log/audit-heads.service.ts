import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { QueueService } from '../../queue/queue.service.js';
import { AuditChainsQueries } from './audit-chains.queries.js';

/**
 * Writes the heads of the audit chains to the log of the server once a day. Who collects the log elsewhere can compare
 * them, and finds out when the database was rewritten.
 */
@Injectable()
export class AuditHeadsService implements OnModuleInit {
  private readonly logger = new Logger(AuditHeadsService.name);

  constructor(
    private readonly queries: AuditChainsQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'audit-heads',
      cron: '10 0 * * *',
      timeoutSeconds: 600,
      run: () => this.logHeads(),
    });
  }

  /** One line for each chain with an event of the last two days, so that a skipped day leaves no gap. */
  private async logHeads(): Promise<void> {
    for (const head of await this.queries.recentHeads()) this.logger.log(head, 'Audit head');
  }
}
