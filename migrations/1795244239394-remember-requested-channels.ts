import { MigrationInterface, QueryRunner } from 'typeorm';

export class RememberRequestedChannels1795244239394 implements MigrationInterface {
  name = 'RememberRequestedChannels1795244239394';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD "requested_channel_names" text array NOT NULL DEFAULT '{}'
        `);
    // Who is on another channel than the default one has asked for it. The next check of a device says it again.
    await queryRunner.query(`
            UPDATE "devices"
            SET "requested_channel_names" = ARRAY["channels"."name"]
            FROM "channels"
            JOIN "apps" ON "apps"."id" = "channels"."app_id"
            WHERE "channels"."id" = "devices"."channel_id"
                AND "channels"."id" IS DISTINCT FROM "apps"."default_channel_id"
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "devices" DROP COLUMN "requested_channel_names"
        `);
  }
}
