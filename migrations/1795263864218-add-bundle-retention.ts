import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddBundleRetention1795263864218 implements MigrationInterface {
  name = 'AddBundleRetention1795263864218';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "deleted_objects" (
                "id" uuid NOT NULL,
                "deleted_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "deleted_objects_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "deleted_objects_deleted_at_idx" ON "deleted_objects" ("deleted_at")
        `);
    await queryRunner.query(`
            CREATE TABLE "bundle_expirations" (
                "bundle_id" uuid NOT NULL,
                "unneeded_since" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "bundle_expirations_pkey" PRIMARY KEY ("bundle_id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "bundle_expirations_unneeded_since_idx" ON "bundle_expirations" ("unneeded_since")
        `);
    await queryRunner.query(`
            ALTER TABLE "bundle_expirations"
            ADD CONSTRAINT "bundle_expirations_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD "bundle_retention_count" integer
        `);
    await queryRunner.query(`
            ALTER TABLE "channels"
            ADD "bundle_retention_count" integer
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ADD "unreferenced_since" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles"
            ADD "legal_hold_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles"
            ADD "legal_hold_reason" text
        `);
    await queryRunner.query(`
            CREATE INDEX "blobs_unreferenced_since_idx" ON "blobs" ("unreferenced_since")
            WHERE unreferenced_since IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "devices_bundle_id_idx" ON "devices" ("bundle_id")
            WHERE bundle_id IS NOT NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD CONSTRAINT "apps_bundle_retention_count_check" CHECK (
                    bundle_retention_count BETWEEN 1 AND 1000
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "channels"
            ADD CONSTRAINT "channels_bundle_retention_count_check" CHECK (
                    bundle_retention_count BETWEEN 1 AND 1000
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles"
            ADD CONSTRAINT "bundles_legal_hold_check" CHECK (
                    (legal_hold_at IS NULL) = (legal_hold_reason IS NULL)
                )
        `);
    // Whatever the deletion is a part of fails with it: of the build, the app, the organization.
    await queryRunner.query(`
            CREATE FUNCTION refuse_legal_hold() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    RAISE EXCEPTION 'the bundle % is under legal hold', OLD.id
                        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'bundles_legal_hold';
                END
            $$
        `);
    await queryRunner.query(`
            CREATE TRIGGER bundles_legal_hold BEFORE DELETE ON bundles
                FOR EACH ROW WHEN (OLD.legal_hold_at IS NOT NULL) EXECUTE FUNCTION refuse_legal_hold()
        `);
    // The argument is the column that names the object.
    await queryRunner.query(`
            CREATE FUNCTION note_deleted_object() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    INSERT INTO deleted_objects (id) VALUES ((to_jsonb(OLD) ->> TG_ARGV[0])::uuid) ON CONFLICT DO NOTHING;
                    RETURN NULL;
                END
            $$
        `);
    for (const table of ['blobs', 'upload_parts']) {
      await queryRunner.query(`
            CREATE TRIGGER note_deleted_object AFTER DELETE ON ${table}
                FOR EACH ROW EXECUTE FUNCTION note_deleted_object('id')
        `);
    }
    await queryRunner.query(`
            CREATE TRIGGER note_deleted_object AFTER DELETE ON blob_variants
                FOR EACH ROW WHEN (OLD.object_id IS NOT NULL) EXECUTE FUNCTION note_deleted_object('object_id')
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['blobs', 'upload_parts', 'blob_variants']) {
      await queryRunner.query(`DROP TRIGGER note_deleted_object ON ${table}`);
    }
    await queryRunner.query(`DROP FUNCTION note_deleted_object`);
    await queryRunner.query(`DROP TRIGGER bundles_legal_hold ON bundles`);
    await queryRunner.query(`DROP FUNCTION refuse_legal_hold`);
    await queryRunner.query(`
            ALTER TABLE "bundles" DROP CONSTRAINT "bundles_legal_hold_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "channels" DROP CONSTRAINT "channels_bundle_retention_count_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP CONSTRAINT "apps_bundle_retention_count_check"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."devices_bundle_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."blobs_unreferenced_since_idx"
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles" DROP COLUMN "legal_hold_reason"
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles" DROP COLUMN "legal_hold_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs" DROP COLUMN "unreferenced_since"
        `);
    await queryRunner.query(`
            ALTER TABLE "channels" DROP COLUMN "bundle_retention_count"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP COLUMN "bundle_retention_count"
        `);
    await queryRunner.query(`
            DROP TABLE "bundle_expirations"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deleted_objects_deleted_at_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "deleted_objects"
        `);
  }
}
