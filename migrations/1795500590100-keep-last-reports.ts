import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps with the manifest of a bundle when a device last reported it that is deleted or has expired. */
export class KeepLastReports1795500590100 implements MigrationInterface {
  name = 'KeepLastReports1795500590100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE "plain_manifests" ADD "last_reported_at" TIMESTAMP(3) WITH TIME ZONE',
    );
    // A trigger, since devices are deleted one by one, by custom id and by age. Many report the same bundle: a day is exact
    // enough, and spares an update of its row for each of their deletions.
    await queryRunner.query(`
      CREATE FUNCTION keep_last_reports() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE plain_manifests AS plain SET last_reported_at = report.at
          FROM (SELECT app_id, bundle_id, max(last_seen_at) AS at FROM deleted
                 WHERE bundle_id IS NOT NULL GROUP BY app_id, bundle_id) AS report
         WHERE plain.app_id = report.app_id AND plain.bundle_id = report.bundle_id
           AND (plain.last_reported_at IS NULL OR plain.last_reported_at < report.at - interval '1 day');
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER keep_last_reports AFTER DELETE ON devices
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION keep_last_reports()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER keep_last_reports ON devices');
    await queryRunner.query('DROP FUNCTION keep_last_reports');
    await queryRunner.query('ALTER TABLE "plain_manifests" DROP COLUMN "last_reported_at"');
  }
}
