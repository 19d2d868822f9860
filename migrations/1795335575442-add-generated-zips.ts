import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Announces damaged and repaired files to the apps whose bundles use them, as the statement finds. */
const announceDamage = (uses: string): string => `
            CREATE OR REPLACE FUNCTION announce_damage() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              PERFORM pg_notify('releases', app_id::text)
                 FROM (SELECT DISTINCT bundle.app_id
                         FROM (${uses}) AS file JOIN bundles AS bundle ON bundle.id = file.bundle_id) AS app;
              RETURN NULL;
            END $$
        `;
const FILES = 'SELECT bundle_id FROM bundle_files WHERE blob_id = NEW.id';

export class AddGeneratedZips1795335575442 implements MigrationInterface {
  name = 'AddGeneratedZips1795335575442';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "generated_zips" (
                "bundle_id" uuid NOT NULL,
                "state" text NOT NULL DEFAULT 'pending',
                "blob_id" uuid,
                "checksum" text,
                "brotli_files_bytes" bigint,
                "gzip_files_bytes" bigint,
                "attempts" smallint NOT NULL DEFAULT '0',
                "claimed_until" TIMESTAMP(3) WITH TIME ZONE,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "generated_zips_state_check" CHECK (state IN ('pending', 'ready', 'useless')),
                CONSTRAINT "generated_zips_ready_check" CHECK ((state = 'ready') = (blob_id IS NOT NULL)),
                CONSTRAINT "generated_zips_pkey" PRIMARY KEY ("bundle_id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "generated_zips_blob_id_idx" ON "generated_zips" ("blob_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "generated_zips_pending_idx" ON "generated_zips" ("created_at", "bundle_id")
            WHERE state = 'pending'
        `);
    await queryRunner.query(`
            ALTER TABLE "generated_zips"
            ADD CONSTRAINT "generated_zips_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "generated_zips"
            ADD CONSTRAINT "generated_zips_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            CREATE FUNCTION announce_generated_zip() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              PERFORM pg_notify('releases', app_id::text) FROM bundles WHERE id = NEW.bundle_id;
              RETURN NULL;
            END $$
        `);
    await queryRunner.query(`
            CREATE TRIGGER announce_generated_zip AFTER UPDATE OF state ON generated_zips
              FOR EACH ROW WHEN ((OLD.state = 'ready') <> (NEW.state = 'ready'))
              EXECUTE FUNCTION announce_generated_zip()
        `);
    await queryRunner.query(
      announceDamage(`${FILES} UNION SELECT bundle_id FROM generated_zips WHERE blob_id = NEW.id`),
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(announceDamage(FILES));
    await queryRunner.query(`
            ALTER TABLE "generated_zips" DROP CONSTRAINT "generated_zips_blob_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "generated_zips" DROP CONSTRAINT "generated_zips_bundle_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."generated_zips_pending_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."generated_zips_blob_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "generated_zips"
        `);
    await queryRunner.query(`DROP FUNCTION announce_generated_zip()`);
  }
}
