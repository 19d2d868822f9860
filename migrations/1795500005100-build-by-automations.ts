import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Automations, and the scope in which their builds act. */
export class BuildByAutomations1795500005100 implements MigrationInterface {
  name = 'BuildByAutomations1795500005100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE builds ADD automation_scope jsonb');
    await queryRunner.query(`
      CREATE TABLE automations (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        app_id uuid NOT NULL,
        name text NOT NULL,
        name_lower text NOT NULL,
        platform text NOT NULL,
        enabled boolean NOT NULL DEFAULT true,
        stopped_reason text,
        trigger_type text NOT NULL,
        trigger_patterns text[] NOT NULL DEFAULT '{}',
        commit_message_pattern text,
        build_type text,
        build_stack text,
        environment_id uuid,
        certificate_id uuid,
        configuration_id uuid,
        destination_id uuid,
        channel_ids uuid[] NOT NULL DEFAULT '{}',
        saved_by_user_id uuid,
        token_id uuid,
        scope jsonb,
        repository_key text,
        refs_recorded_at timestamptz(3),
        last_triggered_at timestamptz(3),
        created_by_user_id uuid,
        updated_by_user_id uuid,
        CONSTRAINT automations_pkey PRIMARY KEY (id),
        CONSTRAINT automations_app_id_name_lower_key UNIQUE (app_id, name_lower),
        CONSTRAINT automations_platform_check CHECK (platform IN ('android', 'ios', 'web')),
        CONSTRAINT automations_trigger_type_check CHECK (trigger_type IN ('branch', 'tag', 'manual', 'schedule')),
        CONSTRAINT automations_commit_message_pattern_check
          CHECK (commit_message_pattern IS NULL OR trigger_type = 'branch'),
        CONSTRAINT automations_stopped_reason_check CHECK (stopped_reason IS NULL OR NOT enabled),
        CONSTRAINT automations_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
        CONSTRAINT automations_environment_id_fkey
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE SET NULL,
        CONSTRAINT automations_certificate_id_fkey
          FOREIGN KEY (certificate_id) REFERENCES certificates (id) ON DELETE SET NULL,
        CONSTRAINT automations_configuration_id_fkey
          FOREIGN KEY (configuration_id) REFERENCES configurations (id) ON DELETE SET NULL,
        CONSTRAINT automations_destination_id_fkey
          FOREIGN KEY (destination_id) REFERENCES destinations (id) ON DELETE SET NULL,
        CONSTRAINT automations_saved_by_user_id_fkey
          FOREIGN KEY (saved_by_user_id) REFERENCES users (id) ON DELETE SET NULL,
        CONSTRAINT automations_created_by_user_id_fkey
          FOREIGN KEY (created_by_user_id) REFERENCES users (id) ON DELETE SET NULL,
        CONSTRAINT automations_updated_by_user_id_fkey
          FOREIGN KEY (updated_by_user_id) REFERENCES users (id) ON DELETE SET NULL
      )`);
    for (const column of ['saved_by_user_id', 'created_by_user_id', 'updated_by_user_id']) {
      await queryRunner.query(`CREATE INDEX automations_${column}_idx ON automations (${column})`);
    }
    for (const column of [
      'environment_id',
      'certificate_id',
      'configuration_id',
      'destination_id',
      'token_id',
    ]) {
      await queryRunner.query(
        `CREATE INDEX automations_${column}_idx ON automations (${column}) WHERE ${column} IS NOT NULL`,
      );
    }
    const options = {
      type: 'automation',
      organization: 'app',
      name: 'name',
      renamed: {
        environment_id: 'appEnvironmentId',
        certificate_id: 'appCertificateId',
        configuration_id: 'appConfigurationId',
        destination_id: 'appDestinationId',
        channel_ids: 'appChannelIds',
        saved_by_user_id: 'savedBy',
        created_by_user_id: 'createdBy',
      },
      ignored: [
        'name_lower',
        'updated_by_user_id',
        'token_id',
        'scope',
        'repository_key',
        'refs_recorded_at',
        'last_triggered_at',
      ],
    };
    await queryRunner.query(`CALL audit_table('automations', '${JSON.stringify(options)}')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE automations');
    await queryRunner.query('ALTER TABLE builds DROP COLUMN automation_scope');
  }
}
