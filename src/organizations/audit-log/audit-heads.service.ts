import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { sql } from '../../database/sql.js';
import { QueueService } from '../../queue/queue.service.js';
import type { ChainHead } from './chain-verification.js';

/**
 * Writes the heads of the audit chains to the log of the server once a day. Who collects the log elsewhere can compare
 * them, and finds out when the database was rewritten.
 */
@Injectable()
export class AuditHeadsService implements OnModuleInit {
  private readonly logger = new Logger(AuditHeadsService.name);

  constructor(private readonly queue: QueueService) {}

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
    const heads = await sql<ChainHead>(
      `SELECT organization_id AS "organizationId", chain.sequence, chain.hash
         FROM audit_chains AS chain JOIN audit_events AS event USING (organization_id, sequence)
        WHERE event.created_at > now() - interval '2 days' ORDER BY organization_id`,
    );
    for (const head of heads) this.logger.log(head, 'Audit head');
  }
}
