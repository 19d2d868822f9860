import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddEncryptionChecks1795348337640 implements MigrationInterface {
  name = 'AddEncryptionChecks1795348337640';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE encryption_checks (
        id uuid NOT NULL,
        created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
        updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
        sealed_value text NOT NULL,
        CONSTRAINT encryption_checks_sealed_value_check CHECK (sealed_value LIKE 'v1.%'),
        CONSTRAINT encryption_checks_pkey PRIMARY KEY (id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE encryption_checks');
  }
}
