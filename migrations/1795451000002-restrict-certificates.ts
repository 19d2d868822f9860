import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations that limit new certificates to default branches, and close all to builds of uploaded sources. */
export class RestrictCertificates1795451000002 implements MigrationInterface {
  name = 'RestrictCertificates1795451000002';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE "organizations" ADD "restrict_certificates" boolean NOT NULL DEFAULT false',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "organizations" DROP COLUMN "restrict_certificates"');
  }
}
