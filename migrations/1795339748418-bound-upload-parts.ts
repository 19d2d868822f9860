import { MigrationInterface, QueryRunner } from 'typeorm';

export class BoundUploadParts1795339748418 implements MigrationInterface {
  name = 'BoundUploadParts1795339748418';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "upload_parts" DROP CONSTRAINT "upload_parts_upload_id_part_number_sha256_key"
        `);
    await queryRunner.query(`
            ALTER TABLE "upload_parts"
            ADD "size_in_bytes" bigint NOT NULL DEFAULT '0'
        `);
    // The last part of a number counts. A trigger notes the objects of the others, which retention removes.
    await queryRunner.query(`
            DELETE FROM upload_parts AS part USING upload_parts AS later
             WHERE later.upload_id = part.upload_id AND later.part_number = part.part_number AND later.id > part.id
        `);
    await queryRunner.query(`
            ALTER TABLE "upload_parts"
            ADD CONSTRAINT "upload_parts_upload_id_part_number_key" UNIQUE ("upload_id", "part_number")
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "upload_parts" DROP CONSTRAINT "upload_parts_upload_id_part_number_key"
        `);
    await queryRunner.query(`
            ALTER TABLE "upload_parts" DROP COLUMN "size_in_bytes"
        `);
    await queryRunner.query(`
            ALTER TABLE "upload_parts"
            ADD CONSTRAINT "upload_parts_upload_id_part_number_sha256_key" UNIQUE ("upload_id", "part_number", "sha256")
        `);
  }
}
