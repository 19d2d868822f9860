import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Provisioning profiles, and the teams of certificates for iOS. */
export class KeepProvisioningProfiles1795500000700 implements MigrationInterface {
  name = 'KeepProvisioningProfiles1795500000700';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE certificates ADD team_id text');
    await queryRunner.query(`
      CREATE TABLE provisioning_profiles (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        app_id uuid NOT NULL,
        certificate_id uuid,
        file_name text NOT NULL,
        file_mime_type text NOT NULL,
        file_size_in_bytes integer NOT NULL,
        uuid text NOT NULL,
        name text NOT NULL,
        type text NOT NULL,
        team_id text NOT NULL,
        bundle_id text NOT NULL,
        device_count integer,
        expires_at timestamptz(3) NOT NULL,
        certificate_fingerprints text[] NOT NULL,
        sealed_file text NOT NULL,
        created_by_user_id uuid,
        CONSTRAINT provisioning_profiles_pkey PRIMARY KEY (id),
        CONSTRAINT provisioning_profiles_type_check
          CHECK (type IN ('development', 'ad-hoc', 'app-store', 'enterprise')),
        CONSTRAINT provisioning_profiles_sealed_file_check CHECK (sealed_file LIKE 'v1.%'),
        CONSTRAINT provisioning_profiles_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
        CONSTRAINT provisioning_profiles_certificate_id_fkey
          FOREIGN KEY (certificate_id) REFERENCES certificates (id) ON DELETE CASCADE,
        CONSTRAINT provisioning_profiles_created_by_user_id_fkey
          FOREIGN KEY (created_by_user_id) REFERENCES users (id) ON DELETE SET NULL
      )`);
    for (const columns of ['app_id, created_at, id', 'certificate_id', 'created_by_user_id']) {
      const name = `provisioning_profiles_${columns.replaceAll(', ', '_')}_idx`;
      await queryRunner.query(`CREATE INDEX ${name} ON provisioning_profiles (${columns})`);
    }
    const options = {
      type: 'provisioning-profile',
      organization: 'app',
      name: 'name',
      secret: ['sealed_file'],
      renamed: {
        certificate_id: 'appCertificateId',
        created_by_user_id: 'createdBy',
        sealed_file: 'file',
      },
    };
    await queryRunner.query(`CALL audit_table('provisioning_profiles', '${JSON.stringify(options)}')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE provisioning_profiles');
    await queryRunner.query('ALTER TABLE certificates DROP COLUMN team_id');
  }
}
