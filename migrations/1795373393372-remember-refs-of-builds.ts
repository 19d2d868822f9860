import { MigrationInterface, QueryRunner } from 'typeorm';

const RENAMED =
  '"renamed":{"environment_id":"appEnvironmentId","certificate_id":"appCertificateId","configuration_id":"appConfigurationId","build_source_id":"appBuildSourceId","automation_id":"appAutomationId","sealed_ad_hoc_variables":"adHocEnvironmentVariables"}';
const AUDITED = `"type":"build","organization":"app","name":"display_name","secret":["sealed_ad_hoc_variables"],${RENAMED}`;

export class RememberRefsOfBuilds1795373393372 implements MigrationInterface {
  name = 'RememberRefsOfBuilds1795373393372';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "git_ref_full_name" text
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "is_default_branch" boolean NOT NULL DEFAULT false
        `);
    await auditBuilds(queryRunner, `{${AUDITED},"ignored":["git_ref_full_name","is_default_branch"]}`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await auditBuilds(queryRunner, `{${AUDITED}}`);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "is_default_branch"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "git_ref_full_name"
        `);
  }
}

/** Audits builds with other options. */
async function auditBuilds(queryRunner: QueryRunner, options: string): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON builds`);
  }
  await queryRunner.query(`CALL audit_table('builds', '${options}')`);
}
