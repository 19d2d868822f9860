import { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets an upload in parts belong to a row of any table, and deletes it with that row. */
export class SeparateUploadsFromBundleFiles1795266400000 implements MigrationInterface {
  name = 'SeparateUploadsFromBundleFiles1795266400000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "file_uploads" DROP CONSTRAINT "file_uploads_bundle_file_id_fkey"
        `);
    await rename(queryRunner, [
      ['TABLE "file_uploads"', '"uploads"'],
      ['TABLE "uploads" RENAME COLUMN "bundle_file_id"', '"owner_id"'],
      ['TABLE "uploads" RENAME CONSTRAINT "file_uploads_pkey"', '"uploads_pkey"'],
      ['INDEX "file_uploads_bundle_file_id_idx"', '"uploads_owner_id_idx"'],
      ['TABLE "upload_parts" RENAME COLUMN "file_upload_id"', '"upload_id"'],
      [
        'TABLE "upload_parts" RENAME CONSTRAINT "upload_parts_file_upload_id_part_number_sha256_key"',
        '"upload_parts_upload_id_part_number_sha256_key"',
      ],
      [
        'TABLE "upload_parts" RENAME CONSTRAINT "upload_parts_file_upload_id_fkey"',
        '"upload_parts_upload_id_fkey"',
      ],
    ]);
    await queryRunner.query(`
            CREATE FUNCTION delete_uploads_of_owners() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    DELETE FROM uploads USING deleted WHERE uploads.owner_id = deleted.id;
                    RETURN NULL;
                END
            $$
        `);
    await queryRunner.query(`
            CREATE TRIGGER delete_uploads_of_owners AFTER DELETE ON bundle_files
                REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_uploads_of_owners()
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER delete_uploads_of_owners ON bundle_files`);
    await queryRunner.query(`DROP FUNCTION delete_uploads_of_owners`);
    await rename(queryRunner, [
      [
        'TABLE "upload_parts" RENAME CONSTRAINT "upload_parts_upload_id_fkey"',
        '"upload_parts_file_upload_id_fkey"',
      ],
      [
        'TABLE "upload_parts" RENAME CONSTRAINT "upload_parts_upload_id_part_number_sha256_key"',
        '"upload_parts_file_upload_id_part_number_sha256_key"',
      ],
      ['TABLE "upload_parts" RENAME COLUMN "upload_id"', '"file_upload_id"'],
      ['INDEX "uploads_owner_id_idx"', '"file_uploads_bundle_file_id_idx"'],
      ['TABLE "uploads" RENAME CONSTRAINT "uploads_pkey"', '"file_uploads_pkey"'],
      ['TABLE "uploads" RENAME COLUMN "owner_id"', '"bundle_file_id"'],
      ['TABLE "uploads"', '"file_uploads"'],
    ]);
    await queryRunner.query(`
            ALTER TABLE "file_uploads"
            ADD CONSTRAINT "file_uploads_bundle_file_id_fkey" FOREIGN KEY ("bundle_file_id") REFERENCES "bundle_files"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }
}

async function rename(queryRunner: QueryRunner, names: readonly [what: string, to: string][]): Promise<void> {
  for (const [what, to] of names) {
    await queryRunner.query(`ALTER ${what}${what.includes(' RENAME ') ? '' : ' RENAME'} TO ${to}`);
  }
}
