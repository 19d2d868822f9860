import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the file of a certificate says about itself: whose it is, and its fingerprint. */
export class DescribeCertificates1795500000102 implements MigrationInterface {
  name = 'DescribeCertificates1795500000102';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "certificates" ADD "subject" text, ADD "sha256_fingerprint" text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE "certificates" DROP COLUMN "subject", DROP COLUMN "sha256_fingerprint"',
    );
  }
}
