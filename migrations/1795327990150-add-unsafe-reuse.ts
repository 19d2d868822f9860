import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddUnsafeReuse1795327990150 implements MigrationInterface {
  name = 'AddUnsafeReuse1795327990150';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "plain_manifests" (
                "bundle_id" uuid NOT NULL,
                "app_id" uuid NOT NULL,
                "build_number" integer NOT NULL,
                "offered" boolean NOT NULL,
                "files" bytea NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "plain_manifests_pkey" PRIMARY KEY ("bundle_id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "plain_manifests_app_id_idx" ON "plain_manifests" ("app_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "unsafe_reuses" (
                "bundle_id" uuid NOT NULL,
                "running_bundle_id" uuid NOT NULL,
                "app_id" uuid NOT NULL,
                "kind" text NOT NULL,
                "href" text NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "unsafe_reuses_kind_check" CHECK (kind IN ('content', 'absent')),
                CONSTRAINT "unsafe_reuses_pkey" PRIMARY KEY ("bundle_id", "running_bundle_id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "unsafe_reuses_app_id_idx" ON "unsafe_reuses" ("app_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "plain_manifests"
            ADD CONSTRAINT "plain_manifests_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "unsafe_reuses"
            ADD CONSTRAINT "unsafe_reuses_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "unsafe_reuses"
            ADD CONSTRAINT "unsafe_reuses_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            CREATE TRIGGER announce_unsafe_reuse AFTER INSERT OR UPDATE OR DELETE ON unsafe_reuses
              FOR EACH ROW
              EXECUTE FUNCTION announce_release('app_id')
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "unsafe_reuses" DROP CONSTRAINT "unsafe_reuses_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "unsafe_reuses" DROP CONSTRAINT "unsafe_reuses_bundle_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "plain_manifests" DROP CONSTRAINT "plain_manifests_app_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."unsafe_reuses_app_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "unsafe_reuses"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."plain_manifests_app_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "plain_manifests"
        `);
  }
}
