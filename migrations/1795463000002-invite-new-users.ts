import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links of invitations, with which people without an account create one, and how many people a user has invited today. */
export class InviteNewUsers1795463000002 implements MigrationInterface {
  name = 'InviteNewUsers1795463000002';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE invitation_links (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        invitation_id uuid NOT NULL,
        hash text NOT NULL,
        mailed boolean NOT NULL,
        CONSTRAINT invitation_links_pkey PRIMARY KEY (id),
        CONSTRAINT invitation_links_hash_key UNIQUE (hash),
        CONSTRAINT invitation_links_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitations (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      'CREATE INDEX invitation_links_invitation_id_idx ON invitation_links (invitation_id)',
    );
    await queryRunner.query(`
      CREATE TABLE invitation_counts (
        inviter_id uuid NOT NULL,
        day date NOT NULL,
        count integer NOT NULL,
        CONSTRAINT invitation_counts_pkey PRIMARY KEY (inviter_id),
        CONSTRAINT invitation_counts_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE invitation_counts');
    await queryRunner.query('DROP TABLE invitation_links');
  }
}
