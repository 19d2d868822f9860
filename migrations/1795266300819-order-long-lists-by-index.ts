import { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the indexes that order deployments and audit events hold the ids, too, so that far pages do not read the tables. */
export class OrderLongListsByIndex1795266300819 implements MigrationInterface {
  name = 'OrderLongListsByIndex1795266300819';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE INDEX "deployments_app_id_sequence_id_idx" ON "deployments" ("app_id", "sequence", "id")
        `);
    await queryRunner.query(`
            DROP INDEX "deployments_app_id_sequence_idx"
        `);
    await queryRunner.query(`
            ALTER TABLE "audit_events" DROP CONSTRAINT "audit_events_organization_id_sequence_key"
        `);
    await queryRunner.query(`
            ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_organization_id_sequence_key" UNIQUE ("organization_id", "sequence") INCLUDE ("id")
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "audit_events" DROP CONSTRAINT "audit_events_organization_id_sequence_key"
        `);
    await queryRunner.query(`
            ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_organization_id_sequence_key" UNIQUE ("organization_id", "sequence")
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_app_id_sequence_idx" ON "deployments" ("app_id", "sequence")
        `);
    await queryRunner.query(`
            DROP INDEX "deployments_app_id_sequence_id_idx"
        `);
  }
}
