import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddBundleExpiry1795325933994 implements MigrationInterface {
  name = 'AddBundleExpiry1795325933994';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "bundles"
            ADD "expires_at" TIMESTAMP(3) WITH TIME ZONE
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "bundles" DROP COLUMN "expires_at"
        `);
  }
}
