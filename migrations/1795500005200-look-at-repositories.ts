import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What automations have decided about branches and tags, and when their repositories are looked at. */
export class LookAtRepositories1795500005200 implements MigrationInterface {
  name = 'LookAtRepositories1795500005200';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE decided_refs (
        automation_id uuid NOT NULL,
        ref text NOT NULL,
        commit_sha text NOT NULL,
        outcome text NOT NULL,
        decided_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT decided_refs_pkey PRIMARY KEY (automation_id, ref),
        CONSTRAINT decided_refs_outcome_check CHECK (outcome IN ('built', 'skipped', 'recorded')),
        CONSTRAINT decided_refs_automation_id_fkey
          FOREIGN KEY (automation_id) REFERENCES automations (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`
      CREATE TABLE repository_looks (
        app_id uuid NOT NULL,
        next_look_at timestamptz(3) NOT NULL DEFAULT now(),
        requested_at timestamptz(3),
        looked_at timestamptz(3),
        failure text,
        CONSTRAINT repository_looks_pkey PRIMARY KEY (app_id),
        CONSTRAINT repository_looks_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      'CREATE INDEX repository_looks_next_look_at_idx ON repository_looks (next_look_at)',
    );
    await queryRunner.query(`
      CREATE TABLE git_events (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        app_id uuid NOT NULL,
        automation_id uuid NOT NULL,
        ref text,
        commit_sha text,
        is_requested boolean NOT NULL DEFAULT false,
        outcome text NOT NULL,
        reason text,
        message text,
        build_id uuid,
        CONSTRAINT git_events_pkey PRIMARY KEY (id),
        CONSTRAINT git_events_outcome_check CHECK (outcome IN ('built', 'skipped')),
        CONSTRAINT git_events_reason_check
          CHECK (reason IN ('skip_ci', 'message_pattern', 'message_unknown', 'limit', 'refused')),
        CONSTRAINT git_events_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      'CREATE INDEX git_events_app_id_created_at_id_idx ON git_events (app_id, created_at, id)',
    );
    await queryRunner.query('CREATE INDEX git_events_created_at_idx ON git_events (created_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE git_events');
    await queryRunner.query('DROP TABLE repository_looks');
    await queryRunner.query('DROP TABLE decided_refs');
  }
}
