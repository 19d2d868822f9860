import { MigrationInterface, QueryRunner } from 'typeorm';

export class CompressWithGzip1795335499593 implements MigrationInterface {
  name = 'CompressWithGzip1795335499593';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DROP INDEX "public"."blob_variants_pending_idx"
        `);
    await queryRunner.query(`
            CREATE INDEX "blob_variants_unfinished_idx" ON "blob_variants" ("created_at", "state", "blob_id")
            WHERE state IN ('pending', 'quick')
        `);
    await queryRunner.query(`
            ALTER TABLE "blob_variants"
            DROP CONSTRAINT "blob_variants_encoding_check",
            DROP CONSTRAINT "blob_variants_state_check",
            DROP CONSTRAINT "blob_variants_ready_check",
            ADD CONSTRAINT "blob_variants_encoding_check" CHECK (encoding IN ('br', 'gzip')),
            ADD CONSTRAINT "blob_variants_state_check" CHECK (state IN ('pending', 'quick', 'ready', 'useless')),
            ADD CONSTRAINT "blob_variants_ready_check" CHECK (
              (state IN ('quick', 'ready')) = (object_id IS NOT NULL) AND (object_id IS NULL) = (size_in_bytes IS NULL)
            )
        `);
    // An object that another one replaces.
    await queryRunner.query(`
            CREATE TRIGGER note_replaced_object AFTER UPDATE OF object_id ON blob_variants
              FOR EACH ROW WHEN (OLD.object_id IS NOT NULL AND OLD.object_id IS DISTINCT FROM NEW.object_id)
              EXECUTE FUNCTION note_deleted_object('object_id')
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DELETE FROM blob_variants WHERE encoding = 'gzip'
        `);
    await queryRunner.query(`
            UPDATE blob_variants SET state = 'ready', claimed_until = NULL WHERE state = 'quick'
        `);
    await queryRunner.query(`
            DROP TRIGGER note_replaced_object ON blob_variants
        `);
    await queryRunner.query(`
            ALTER TABLE "blob_variants"
            DROP CONSTRAINT "blob_variants_ready_check",
            DROP CONSTRAINT "blob_variants_state_check",
            DROP CONSTRAINT "blob_variants_encoding_check",
            ADD CONSTRAINT "blob_variants_ready_check" CHECK (
              (state = 'ready') = (object_id IS NOT NULL) AND (state = 'ready') = (size_in_bytes IS NOT NULL)
            ),
            ADD CONSTRAINT "blob_variants_state_check" CHECK (state IN ('pending', 'ready', 'useless')),
            ADD CONSTRAINT "blob_variants_encoding_check" CHECK (encoding IN ('br'))
        `);
    await queryRunner.query(`
            DROP INDEX "public"."blob_variants_unfinished_idx"
        `);
    await queryRunner.query(`
            CREATE INDEX "blob_variants_pending_idx" ON "blob_variants" ("created_at", "blob_id")
            WHERE state = 'pending'
        `);
  }
}
