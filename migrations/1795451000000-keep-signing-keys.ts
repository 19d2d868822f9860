import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Certificates that exist get theirs when they sign next: see `CertificatesService.signingKeyOf`. */
export class KeepSigningKeys1795451000000 implements MigrationInterface {
  name = 'KeepSigningKeys1795451000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "certificates"
        ADD "sealed_signing_key" text,
        ADD CONSTRAINT "certificates_sealed_signing_key_check" CHECK (sealed_signing_key LIKE 'v1.%')`);
    await auditCertificates(queryRunner, ['name_lower', 'sealed_signing_key']);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await auditCertificates(queryRunner, ['name_lower']);
    await queryRunner.query('ALTER TABLE "certificates" DROP COLUMN "sealed_signing_key"');
  }
}

/** Audits certificates again. @param ignored columns whose changes are no changes of the object */
async function auditCertificates(queryRunner: QueryRunner, ignored: readonly string[]): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON certificates`);
  }
  const options = {
    type: 'certificate',
    organization: 'app',
    name: 'name',
    ignored,
    secret: ['sealed_file', 'sealed_password', 'sealed_key_password'],
    renamed: {
      created_by_user_id: 'createdBy',
      updated_by_user_id: 'updatedBy',
      sealed_file: 'file',
      sealed_password: 'password',
      sealed_key_password: 'keyPassword',
    },
  };
  await queryRunner.query(`CALL audit_table('certificates', '${JSON.stringify(options)}')`);
}
