import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a store does not say where a release is, for those who wait for it. */
export class SayWhyLooksFail1795500000811 implements MigrationInterface {
  name = 'SayWhyLooksFail1795500000811';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE store_releases ADD look_error text');
    await auditReleases(queryRunner, ['looked_at', 'next_look_at', 'failed_looks', 'look_error']);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE store_releases DROP COLUMN look_error');
    await auditReleases(queryRunner, ['looked_at', 'next_look_at', 'failed_looks']);
  }
}

/** @param ignored columns whose changes are not in the audit log */
async function auditReleases(queryRunner: QueryRunner, ignored: readonly string[]): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON store_releases`);
  }
  const options = { type: 'store-release', organization: 'app', ignored };
  await queryRunner.query(`CALL audit_table('store_releases', '${JSON.stringify(options)}')`);
}
