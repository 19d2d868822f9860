import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls with keys of App Store Connect, which limits them per key. */
export class CountCallsWithAppleKeys1795500000610 implements MigrationInterface {
  name = 'CountCallsWithAppleKeys1795500000610';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE apple_key_calls (
        key_hash text NOT NULL,
        minute TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        organization_id uuid NOT NULL,
        calls integer NOT NULL,
        hour_limit integer,
        remaining integer,
        answered_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        paused_until TIMESTAMP(3) WITH TIME ZONE,
        CONSTRAINT apple_key_calls_pkey PRIMARY KEY (key_hash, minute, organization_id),
        CONSTRAINT apple_key_calls_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      'CREATE INDEX apple_key_calls_organization_id_idx ON apple_key_calls (organization_id)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE apple_key_calls');
  }
}
