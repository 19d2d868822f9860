import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ids of claims are those of a session: another session of the runner neither gets their jobs nor collides with them. */
export class TieClaimsToSessions1795451000001 implements MigrationInterface {
  name = 'TieClaimsToSessions1795451000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "job_leases"
        DROP CONSTRAINT "job_leases_runner_id_claim_id_key",
        ADD CONSTRAINT "job_leases_runner_id_session_id_claim_id_key" UNIQUE ("runner_id", "session_id", "claim_id")`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "job_leases"
        DROP CONSTRAINT "job_leases_runner_id_session_id_claim_id_key",
        ADD CONSTRAINT "job_leases_runner_id_claim_id_key" UNIQUE ("runner_id", "claim_id")`);
  }
}
