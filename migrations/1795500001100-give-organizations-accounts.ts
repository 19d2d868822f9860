import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose account an organization counts to: its founder's, here its first owner's. It has no audit events. */
export class GiveOrganizationsAccounts1795500001100 implements MigrationInterface {
  name = 'GiveOrganizationsAccounts1795500001100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE organizations ADD account_id uuid;
      ALTER TABLE organizations DISABLE TRIGGER USER;
      UPDATE organizations SET account_id =
        (SELECT user_id FROM members WHERE organization_id = organizations.id AND role = 'owner' ORDER BY created_at, id LIMIT 1);
      ALTER TABLE organizations ENABLE TRIGGER USER;
      CREATE INDEX organizations_account_id_idx ON organizations (account_id);
      -- Who uses the limits of each process now: nothing that must outlive a crash.
      CREATE UNLOGGED TABLE capacity_uses (
        process text NOT NULL,
        "limit" text NOT NULL,
        account text NOT NULL,
        running integer NOT NULL,
        waiting integer NOT NULL,
        wait_seconds double precision NOT NULL,
        seen_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT capacity_uses_pkey PRIMARY KEY (process, "limit", account)
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE capacity_uses; ALTER TABLE organizations DROP COLUMN account_id');
  }
}
