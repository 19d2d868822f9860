import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Shares of builds: pages with their files, for everyone who has the address. */
export class ShareBuilds1795500000401 implements MigrationInterface {
  name = 'ShareBuilds1795500000401';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE build_shares (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        build_id uuid NOT NULL,
        description text,
        expires_at timestamptz(3),
        password_hash text,
        CONSTRAINT build_shares_pkey PRIMARY KEY (id),
        CONSTRAINT build_shares_build_id_fkey FOREIGN KEY (build_id) REFERENCES builds (id) ON DELETE CASCADE
      )`);
    await queryRunner.query('CREATE INDEX build_shares_build_id_idx ON build_shares (build_id)');
    const options = {
      type: 'build-share',
      organization: 'build',
      secret: ['password_hash'],
      renamed: { build_id: 'appBuildId', password_hash: 'password' },
    };
    await queryRunner.query(`CALL audit_table('build_shares', '${JSON.stringify(options)}')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE build_shares');
  }
}
