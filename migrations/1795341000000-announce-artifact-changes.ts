import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counted downloads change artifacts every few seconds, but no release: they must not drop the tables of all servers. */
export class AnnounceArtifactChanges1795341000000 implements MigrationInterface {
  name = 'AnnounceArtifactChanges1795341000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER announce_artifact ON build_artifacts`);
    await queryRunner.query(`
            CREATE TRIGGER announce_artifact AFTER INSERT OR DELETE OR UPDATE OF build_id, type, status
              ON build_artifacts FOR EACH ROW
              EXECUTE FUNCTION announce_release('build_id')
        `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER announce_artifact ON build_artifacts`);
    await queryRunner.query(`
            CREATE TRIGGER announce_artifact AFTER INSERT OR UPDATE OR DELETE ON build_artifacts
              FOR EACH ROW
              EXECUTE FUNCTION announce_release('build_id')
        `);
  }
}
