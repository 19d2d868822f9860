import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class AddNotes1796000000000 implements MigrationInterface {
  name = 'AddNotes1796000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "notes" (
        "id" uuid NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "app_id" uuid NOT NULL,
        "title" text NOT NULL,
        "title_lower" text NOT NULL,
        CONSTRAINT "notes_app_id_title_lower_key" UNIQUE ("app_id", "title_lower"),
        CONSTRAINT "notes_pkey" PRIMARY KEY ("id"),
        CONSTRAINT "notes_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps" ("id") ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CALL audit_table('notes', '{"type":"note","organization":"app","name":"title"}')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "notes"`);
  }
}
