import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Hooks of git servers, and the pushes that they report. */
export class ReceiveGitEvents1795500006100 implements MigrationInterface {
  name = 'ReceiveGitEvents1795500006100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE git_hooks (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        organization_id uuid NOT NULL,
        provider text NOT NULL,
        repository_key text NOT NULL,
        sealed_secret text NOT NULL,
        last_event_at timestamptz(3),
        last_error text,
        last_error_at timestamptz(3),
        CONSTRAINT git_hooks_pkey PRIMARY KEY (id),
        CONSTRAINT git_hooks_organization_id_repository_key_key UNIQUE (organization_id, repository_key),
        CONSTRAINT git_hooks_provider_check
          CHECK (provider IN ('azure_devops', 'bitbucket', 'gitea', 'git_http', 'github', 'gitlab')),
        CONSTRAINT git_hooks_sealed_secret_check CHECK (sealed_secret LIKE 'v1.%'),
        CONSTRAINT git_hooks_last_error_check CHECK ((last_error IS NULL) = (last_error_at IS NULL)),
        CONSTRAINT git_hooks_organization_id_fkey
          FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    const options = {
      type: 'git-hook',
      organization: 'own',
      secret: ['sealed_secret'],
      ignored: ['repository_key', 'last_event_at', 'last_error', 'last_error_at'],
    };
    await queryRunner.query(`CALL audit_table('git_hooks', '${JSON.stringify(options)}')`);
    await queryRunner.query(`
      CREATE TABLE expected_pushes (
        app_id uuid NOT NULL,
        ref text NOT NULL,
        before_sha text,
        after_sha text,
        received_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT expected_pushes_pkey PRIMARY KEY (app_id, ref),
        CONSTRAINT expected_pushes_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`
      ALTER TABLE repository_looks
        ADD reported_at timestamptz(3),
        ADD failures integer NOT NULL DEFAULT 0,
        ADD unchanged_looks integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`
      ALTER TABLE git_events
        ALTER automation_id DROP NOT NULL,
        DROP CONSTRAINT git_events_reason_check,
        ADD CONSTRAINT git_events_reason_check
          CHECK (reason IN ('skip_ci', 'message_pattern', 'message_unknown', 'limit', 'ref_not_allowed', 'refused',
                            'pattern', 'same_commit', 'rights_lost'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DELETE FROM git_events WHERE automation_id IS NULL OR reason IN ('ref_not_allowed', 'pattern', 'same_commit', 'rights_lost')`,
    );
    await queryRunner.query(`
      ALTER TABLE git_events
        ALTER automation_id SET NOT NULL,
        DROP CONSTRAINT git_events_reason_check,
        ADD CONSTRAINT git_events_reason_check
          CHECK (reason IN ('skip_ci', 'message_pattern', 'message_unknown', 'limit', 'refused'))`);
    await queryRunner.query(
      'ALTER TABLE repository_looks DROP COLUMN reported_at, DROP COLUMN failures, DROP COLUMN unchanged_looks',
    );
    await queryRunner.query('DROP TABLE expected_pushes');
    await queryRunner.query('DROP TABLE git_hooks');
  }
}
