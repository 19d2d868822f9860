import { MigrationInterface, QueryRunner } from 'typeorm';

export class CountUploadParts1795360806198 implements MigrationInterface {
  name = 'CountUploadParts1795360806198';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "uploads"
            ADD "organization_id" uuid
        `);
    await queryRunner.query(`
            CREATE INDEX "uploads_organization_id_idx" ON "uploads" ("organization_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "uploads"
            ADD CONSTRAINT "uploads_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "uploads" DROP CONSTRAINT "uploads_organization_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."uploads_organization_id_idx"
        `);
    await queryRunner.query(`
            ALTER TABLE "uploads" DROP COLUMN "organization_id"
        `);
  }
}
