import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which connection stored a response: while it is open, its process sends the response. Also of the version before. */
export class KnowSendersOfResponses1795500001000 implements MigrationInterface {
  name = 'KnowSendersOfResponses1795500001000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE stored_responses ADD COLUMN sender_pid integer DEFAULT pg_backend_pid()',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE stored_responses DROP COLUMN sender_pid');
  }
}
