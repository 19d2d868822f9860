import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What submissions to App Store Connect need, and turns for more than edits. */
export class SubmitToAppStoreConnect1795500000600 implements MigrationInterface {
  name = 'SubmitToAppStoreConnect1795500000600';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE destinations ADD apple_uses_non_exempt_encryption boolean');
    await queryRunner.query(`
      ALTER TABLE artifact_details
        ADD apple_platform text CONSTRAINT artifact_details_apple_platform_check CHECK (apple_platform IN ('ios', 'tvos', 'visionos')),
        ADD uses_non_exempt_encryption boolean`);
    await queryRunner.query('ALTER TABLE submissions RENAME sealed_upload_url TO sealed_upload');
    await queryRunner.query(
      'ALTER TABLE submissions RENAME CONSTRAINT submissions_sealed_upload_url_check TO submissions_sealed_upload_check',
    );
    await queryRunner.query(`
      ALTER TABLE submissions
        ADD beta_groups text[] NOT NULL DEFAULT '{}',
        ADD uses_non_exempt_encryption boolean,
        ADD apple_platform text CONSTRAINT submissions_apple_platform_check CHECK (apple_platform IN ('ios', 'tvos', 'visionos'))`);
    await auditSubmissions(queryRunner, 'sealed_upload');
    await renameTurns(queryRunner, 'store_edits', 'store_turns');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await renameTurns(queryRunner, 'store_turns', 'store_edits');
    await queryRunner.query(
      'ALTER TABLE submissions DROP COLUMN beta_groups, DROP COLUMN uses_non_exempt_encryption, DROP COLUMN apple_platform',
    );
    await queryRunner.query('ALTER TABLE submissions RENAME sealed_upload TO sealed_upload_url');
    await queryRunner.query(
      'ALTER TABLE submissions RENAME CONSTRAINT submissions_sealed_upload_check TO submissions_sealed_upload_url_check',
    );
    await auditSubmissions(queryRunner, 'sealed_upload_url');
    await queryRunner.query(
      'ALTER TABLE artifact_details DROP COLUMN apple_platform, DROP COLUMN uses_non_exempt_encryption',
    );
    await queryRunner.query('ALTER TABLE destinations DROP COLUMN apple_uses_non_exempt_encryption');
  }
}

async function renameTurns(queryRunner: QueryRunner, from: string, to: string): Promise<void> {
  await queryRunner.query(`ALTER TABLE ${from} RENAME TO ${to}`);
  for (const constraint of ['pkey', 'submission_id_key', 'submission_id_fkey']) {
    await queryRunner.query(
      `ALTER TABLE ${to} RENAME CONSTRAINT ${from}_${constraint} TO ${to}_${constraint}`,
    );
  }
}

/** Audits them again. @param upload the column with the sealed addresses of the upload */
async function auditSubmissions(queryRunner: QueryRunner, upload: string): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON submissions`);
  }
  const options = {
    type: 'submission',
    organization: 'app',
    ignored: [
      'step',
      'step_attempts',
      'external',
      upload,
      'sent_bytes',
      'commit_sent_at',
      'waits_for',
      'waiting_since',
    ],
    secret: [],
    renamed: { destination_id: 'appDestinationId' },
  };
  await queryRunner.query(`CALL audit_table('submissions', '${JSON.stringify(options)}')`);
}
