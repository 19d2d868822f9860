import { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepBlobsOfDeletedOrganizations1795236240245 implements MigrationInterface {
  name = 'KeepBlobsOfDeletedOrganizations1795236240245';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "blobs" DROP CONSTRAINT "blobs_organization_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ALTER COLUMN "organization_id" DROP NOT NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ADD CONSTRAINT "blobs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "blobs" DROP CONSTRAINT "blobs_organization_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ALTER COLUMN "organization_id"
            SET NOT NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ADD CONSTRAINT "blobs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }
}
