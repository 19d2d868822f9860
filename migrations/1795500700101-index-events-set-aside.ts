import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './concurrent-indexes.js';

/** Finds the next delivery of a webhook, the pending ones of an object, and those that were not delivered. */
export class IndexEventsSetAside1795500700101 implements MigrationInterface {
  name = 'IndexEventsSetAside1795500700101';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndexConcurrently(queryRunner, name, definition);
    await dropIndexConcurrently(queryRunner, FORMER[0]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(queryRunner, ...FORMER);
    for (const [name] of INDEXES) await dropIndexConcurrently(queryRunner, name);
  }
}

const FORMER = [
  'webhook_deliveries_pending_idx',
  `"webhook_deliveries" ("webhook_id", "position", "id") WHERE status = 'pending'`,
] as const;

const INDEXES = [
  [
    'webhook_deliveries_next_idx',
    `"webhook_deliveries" ("webhook_id", "position", "id") WHERE status = 'pending' AND NOT set_aside`,
  ],
  [
    'webhook_deliveries_object_idx',
    `"webhook_deliveries" ("webhook_id", "object_id", "position", "id") WHERE status = 'pending'`,
  ],
  [
    'webhook_deliveries_failed_idx',
    `"webhook_deliveries" ("webhook_id", "created_at") WHERE status = 'failed'`,
  ],
] as const;
