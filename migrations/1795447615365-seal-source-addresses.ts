import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The whole address of a build source is sealed, and `file_url` has it without its query. Sources that are being fetched keep
 * the query until then: only a server can seal it.
 */
export class SealSourceAddresses1795447615365 implements MigrationInterface {
  name = 'SealSourceAddresses1795447615365';

  async up(queryRunner: QueryRunner): Promise<void> {
    await dropAudit(queryRunner);
    await queryRunner.query('ALTER TABLE "build_sources" ADD "sealed_file_url" text');
    await queryRunner.query(
      `UPDATE build_sources SET file_url = regexp_replace(file_url, '[?#].*$', '')
        WHERE file_url ~ '[?#]' AND (status = 'ready' OR failure IS NOT NULL)`,
    );
    await audit(queryRunner, '"blob_id", "fetches", "sealed_file_url"');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropAudit(queryRunner);
    await queryRunner.query('ALTER TABLE "build_sources" DROP COLUMN "sealed_file_url"');
    await audit(queryRunner, '"blob_id", "fetches"');
  }
}

async function dropAudit(queryRunner: QueryRunner): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON build_sources`);
  }
}

async function audit(queryRunner: QueryRunner, ignored: string): Promise<void> {
  await queryRunner.query(
    `CALL audit_table('build_sources',
       '{"type": "build-source", "organization": "app", "secret": ["file_url"], "ignored": [${ignored}], "renamed": {"size_in_bytes": "fileSizeInBytes", "failure": "statusMessage"}}')`,
  );
}
