import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddStorageQuotas1795347472728 implements MigrationInterface {
  name = 'AddStorageQuotas1795347472728';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "organizations"
            ADD "storage_quota_in_bytes" bigint
        `);
    await queryRunner.query(`
            ALTER TABLE "organizations"
            ADD CONSTRAINT "organizations_storage_quota_in_bytes_check" CHECK (storage_quota_in_bytes >= 0)
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "organizations" DROP CONSTRAINT "organizations_storage_quota_in_bytes_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "organizations" DROP COLUMN "storage_quota_in_bytes"
        `);
  }
}
