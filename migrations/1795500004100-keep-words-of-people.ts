import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes and comments on deployments, channels and rollout plans, and who has changed the first two last. */
export class KeepWordsOfPeople1795500004100 implements MigrationInterface {
  name = 'KeepWordsOfPeople1795500004100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bundles ADD notes text');
    await queryRunner.query('ALTER TABLE rollout_plans ADD comment text');
    await queryRunner.query('ALTER TABLE deployments ADD notes text, ADD comment text');
    await queryRunner.query('ALTER TABLE channels ADD comment text');
    for (const table of ['channels', 'deployments']) {
      await queryRunner.query(`
        ALTER TABLE ${table} ADD updated_by_user_id uuid,
          ADD CONSTRAINT ${table}_updated_by_user_id_fkey
            FOREIGN KEY (updated_by_user_id) REFERENCES users (id) ON DELETE SET NULL`);
      await queryRunner.query(
        `CREATE INDEX ${table}_updated_by_user_id_idx ON ${table} (updated_by_user_id)`,
      );
    }
    await audit(queryRunner, ['updated_by_user_id']);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await audit(queryRunner, []);
    await queryRunner.query('ALTER TABLE channels DROP COLUMN comment, DROP COLUMN updated_by_user_id');
    await queryRunner.query(
      'ALTER TABLE deployments DROP COLUMN notes, DROP COLUMN comment, DROP COLUMN updated_by_user_id',
    );
    await queryRunner.query('ALTER TABLE rollout_plans DROP COLUMN comment');
    await queryRunner.query('ALTER TABLE bundles DROP COLUMN notes');
  }
}

/** @param ignored columns that the audit log leaves out besides: each of its events says who */
async function audit(queryRunner: QueryRunner, ignored: readonly string[]): Promise<void> {
  const tables = {
    channels: {
      type: 'channel',
      organization: 'app',
      name: 'name',
      ignored: ['name_lower', 'version', ...ignored],
    },
    deployments: {
      type: 'deployment',
      organization: 'app',
      renamed: { build_id: 'appBuildId', channel_id: 'appChannelId', destination_id: 'appDestinationId' },
      ignored: ['version', ...ignored],
    },
  };
  for (const [table, options] of Object.entries(tables)) {
    for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
      await queryRunner.query(`DROP TRIGGER ${trigger} ON ${table}`);
    }
    await queryRunner.query(`CALL audit_table('${table}', '${JSON.stringify(options)}')`);
  }
}
