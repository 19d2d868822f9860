import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the files of artifacts say about their apps. */
export class ReadArtifacts1795500000200 implements MigrationInterface {
  name = 'ReadArtifacts1795500000200';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE artifact_details (
        id uuid NOT NULL,
        package_name text NOT NULL,
        version_name text,
        version_code text,
        min_sdk_version integer,
        target_sdk_version integer,
        min_os_version text,
        label text,
        form_factor text,
        debuggable boolean NOT NULL,
        signer jsonb,
        icon_blob_id uuid,
        icon_mime_type text,
        CONSTRAINT artifact_details_pkey PRIMARY KEY (id),
        CONSTRAINT artifact_details_form_factor_check CHECK (form_factor IN ('wear', 'tv', 'automotive')),
        CONSTRAINT artifact_details_id_fkey FOREIGN KEY (id) REFERENCES build_artifacts (id) ON DELETE CASCADE,
        CONSTRAINT artifact_details_icon_blob_id_fkey FOREIGN KEY (icon_blob_id) REFERENCES blobs (id)
      )`);
    await queryRunner.query(
      'CREATE INDEX artifact_details_icon_blob_id_idx ON artifact_details (icon_blob_id)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE artifact_details');
  }
}
