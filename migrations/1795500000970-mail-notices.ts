import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails about events: what users want, and what was sent. */
export class MailNotices1795500000970 implements MigrationInterface {
  name = 'MailNotices1795500000970';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE notice_settings (
        user_id uuid NOT NULL,
        approvals boolean NOT NULL DEFAULT true,
        health boolean NOT NULL DEFAULT false,
        webhooks boolean NOT NULL DEFAULT true,
        CONSTRAINT notice_settings_pkey PRIMARY KEY (user_id),
        CONSTRAINT notice_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`
      CREATE TABLE notice_mails (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        user_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        event_id uuid NOT NULL,
        object_id uuid NOT NULL,
        type text NOT NULL,
        hour timestamptz(3) NOT NULL,
        left_out integer NOT NULL DEFAULT 0,
        position bigint NOT NULL,
        is_last boolean NOT NULL,
        mailed_at timestamptz(3),
        CONSTRAINT notice_mails_pkey PRIMARY KEY (id),
        CONSTRAINT notice_mails_user_id_object_id_type_hour_key UNIQUE (user_id, object_id, type, hour),
        CONSTRAINT notice_mails_left_out_check CHECK (left_out >= 0),
        CONSTRAINT notice_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT notice_mails_organization_id_fkey
          FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      'CREATE INDEX notice_mails_organization_id_idx ON notice_mails (organization_id)',
    );
    await queryRunner.query('CREATE INDEX notice_mails_created_at_idx ON notice_mails (created_at)');
    await queryRunner.query(
      'CREATE INDEX notice_mails_user_id_organization_id_created_at_idx ON notice_mails (user_id, organization_id, created_at)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE notice_mails');
    await queryRunner.query('DROP TABLE notice_settings');
  }
}
