import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './concurrent-indexes.js';

/** Finds the events of one object, in the order of their positions. */
export class IndexEventsOfObjects1795500004300 implements MigrationInterface {
  name = 'IndexEventsOfObjects1795500004300';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      INDEX,
      '"events" ("organization_id", "object_id", "position")',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(queryRunner, INDEX);
  }
}

const INDEX = 'events_organization_id_object_id_position_idx';
