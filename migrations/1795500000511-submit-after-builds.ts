import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Builds go to channels after success, or to a destination in a store. */
export class SubmitAfterBuilds1795500000511 implements MigrationInterface {
  name = 'SubmitAfterBuilds1795500000511';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE build_deployments
        ALTER channel_id DROP NOT NULL,
        ADD destination_id uuid,
        ADD CONSTRAINT build_deployments_build_id_destination_id_key UNIQUE (build_id, destination_id),
        ADD CONSTRAINT build_deployments_target_check CHECK (num_nonnulls(channel_id, destination_id) = 1)`);
    await auditBuildDeployments(queryRunner, { destination_id: 'appDestinationId' });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM build_deployments WHERE channel_id IS NULL');
    await queryRunner.query('SET CONSTRAINTS ALL IMMEDIATE');
    await auditBuildDeployments(queryRunner, {});
    await queryRunner.query(
      'ALTER TABLE build_deployments DROP COLUMN destination_id, ALTER channel_id SET NOT NULL',
    );
  }
}

/** Audits them again, with names for some more columns. */
async function auditBuildDeployments(
  queryRunner: QueryRunner,
  names: Readonly<Record<string, string>>,
): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON build_deployments`);
  }
  const options = {
    type: 'build-deployment',
    organization: 'app',
    renamed: {
      build_id: 'appBuildId',
      channel_id: 'appChannelId',
      deployment_id: 'appDeploymentId',
      failure: 'statusMessage',
      ...names,
    },
  };
  await queryRunner.query(`CALL audit_table('build_deployments', '${JSON.stringify(options)}')`);
}
