import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether all devices of a channel got a deployment, and whether it was taken back since. */
export class RememberGoodDeployments1795500004200 implements MigrationInterface {
  name = 'RememberGoodDeployments1795500004200';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE deployments ADD reached_all_at timestamptz(3), ADD taken_back_at timestamptz(3)',
    );
    await auditDeployments(queryRunner, ['reached_all_at', 'taken_back_at']);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await auditDeployments(queryRunner, []);
    await queryRunner.query('ALTER TABLE deployments DROP COLUMN reached_all_at, DROP COLUMN taken_back_at');
  }
}

/** @param ignored columns that the audit log leaves out besides, because they follow from others */
async function auditDeployments(queryRunner: QueryRunner, ignored: readonly string[]): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON deployments`);
  }
  const options = {
    type: 'deployment',
    organization: 'app',
    renamed: { build_id: 'appBuildId', channel_id: 'appChannelId', destination_id: 'appDestinationId' },
    ignored: ['version', 'updated_by_user_id', ...ignored],
  };
  await queryRunner.query(`CALL audit_table('deployments', '${JSON.stringify(options)}')`);
}
