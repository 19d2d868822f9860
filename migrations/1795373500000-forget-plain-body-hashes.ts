import { MigrationInterface, QueryRunner } from 'typeorm';

/** Stored responses had plain hashes of request bodies, from which short secrets could be guessed. */
export class ForgetPlainBodyHashes1795373500000 implements MigrationInterface {
  name = 'ForgetPlainBodyHashes1795373500000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM stored_responses`);
  }

  /** Responses with hashes of the newer kind match no request. */
  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM stored_responses`);
  }
}
