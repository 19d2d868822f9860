import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddActivities1795340289390 implements MigrationInterface {
  name = 'AddActivities1795340289390';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "activities" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "organization_id" uuid NOT NULL,
                "app_id" uuid,
                "kind" text NOT NULL,
                "count" integer,
                "detail" text,
                "throttle_key" text,
                CONSTRAINT "activities_throttle_key_key" UNIQUE ("throttle_key"),
                CONSTRAINT "activities_kind_check" CHECK (
                    kind IN (
                        'devices-erased',
                        'devices-exported',
                        'audit-log-exported',
                        'license-keys-read',
                        'call-refused'
                    )
                ),
                CONSTRAINT "activities_count_check" CHECK (count >= 0),
                CONSTRAINT "activities_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "activities_organization_id_idx" ON "activities" ("organization_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "activities_created_at_idx" ON "activities" ("created_at")
        `);
    await queryRunner.query(`
            ALTER TABLE "activities"
            ADD CONSTRAINT "activities_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    // Only that it happened: the row is deleted after a day.
    await queryRunner.query(`
            CREATE CONSTRAINT TRIGGER audit_insert AFTER INSERT ON activities DEFERRABLE INITIALLY DEFERRED
              FOR EACH ROW WHEN (pg_trigger_depth() = 0)
              EXECUTE FUNCTION audit_change('{"type":"activity","organization":"own","name":"kind","ignored":["created_at","throttle_key"]}')
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "activities" DROP CONSTRAINT "activities_organization_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."activities_created_at_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."activities_organization_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "activities"
        `);
  }
}
