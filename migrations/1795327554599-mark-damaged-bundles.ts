import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Announces damaged and repaired files as changes of the releases of the apps that use them. */
export class MarkDamagedBundles1795327554599 implements MigrationInterface {
  name = 'MarkDamagedBundles1795327554599';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE INDEX "blobs_damaged_idx" ON "blobs" ("id")
            WHERE damaged_at IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE FUNCTION announce_damage() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              PERFORM pg_notify('releases', app_id::text)
                 FROM (SELECT DISTINCT bundle.app_id
                         FROM bundle_files AS file JOIN bundles AS bundle ON bundle.id = file.bundle_id
                        WHERE file.blob_id = NEW.id) AS app;
              RETURN NULL;
            END $$
        `);
    await queryRunner.query(`
            CREATE TRIGGER announce_damage AFTER UPDATE OF damaged_at ON blobs
              FOR EACH ROW WHEN ((OLD.damaged_at IS NULL) <> (NEW.damaged_at IS NULL))
              EXECUTE FUNCTION announce_damage()
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER announce_damage ON blobs`);
    await queryRunner.query(`DROP FUNCTION announce_damage()`);
    await queryRunner.query(`
            DROP INDEX "public"."blobs_damaged_idx"
        `);
  }
}
