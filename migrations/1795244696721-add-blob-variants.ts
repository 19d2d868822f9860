import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddBlobVariants1795244696721 implements MigrationInterface {
  name = 'AddBlobVariants1795244696721';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "blob_variants" (
                "blob_id" uuid NOT NULL,
                "encoding" text NOT NULL,
                "state" text NOT NULL DEFAULT 'pending',
                "object_id" uuid,
                "size_in_bytes" bigint,
                "attempts" smallint NOT NULL DEFAULT '0',
                "claimed_until" TIMESTAMP(3) WITH TIME ZONE,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "blob_variants_object_id_key" UNIQUE ("object_id"),
                CONSTRAINT "blob_variants_ready_check" CHECK (
                    (state = 'ready') = (object_id IS NOT NULL)
                    AND (state = 'ready') = (size_in_bytes IS NOT NULL)
                ),
                CONSTRAINT "blob_variants_state_check" CHECK (state IN ('pending', 'ready', 'useless')),
                CONSTRAINT "blob_variants_encoding_check" CHECK (encoding IN ('br')),
                CONSTRAINT "blob_variants_pkey" PRIMARY KEY ("blob_id", "encoding")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "blob_variants_pending_idx" ON "blob_variants" ("created_at", "blob_id")
            WHERE state = 'pending'
        `);
    await queryRunner.query(`
            ALTER TABLE "blob_variants"
            ADD CONSTRAINT "blob_variants_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    // What is published already gets variants, too.
    await queryRunner.query(`
            INSERT INTO "blob_variants" ("blob_id", "encoding")
            SELECT DISTINCT blob.id, 'br'
              FROM "bundle_files" AS file
              JOIN "build_artifacts" AS artifact
                ON artifact.id = file.bundle_id AND artifact.status = 'ready' AND artifact.type = 'manifest'
              JOIN "blobs" AS blob ON blob.id = file.blob_id
             WHERE blob.size_in_bytes BETWEEN 1024 AND 67108864
               AND CASE
                     WHEN file.mime_type IN ('', 'application/octet-stream')
                       THEN file.href ~* '[.](css|csv|html?|js|json|map|md|mjs|svg|txt|wasm|webmanifest|xml)$'
                     ELSE file.mime_type ~* '^text/|[/+](json|xml)(;|$)|^application/((x-)?javascript|wasm)(;|$)'
                   END
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "blob_variants" DROP CONSTRAINT "blob_variants_blob_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."blob_variants_pending_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "blob_variants"
        `);
  }
}
