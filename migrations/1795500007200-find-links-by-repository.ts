import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the apps that a hook of a repository is for. */
export class FindLinksByRepository1795500007200 implements MigrationInterface {
  name = 'FindLinksByRepository1795500007200';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX app_repositories_provider_repository_id_idx ON app_repositories (provider_repository_id)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX app_repositories_provider_repository_id_idx');
  }
}
