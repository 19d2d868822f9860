import { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the versions that `If-Match` compares, which a trigger raises and the audit log leaves out. */
export class VersionObjects1795411179129 implements MigrationInterface {
  name = 'VersionObjects1795411179129';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION raise_version() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.version := OLD.version + 1;
          RETURN NEW;
        END
      $$`);
    for (const [table, { audit, condition }] of Object.entries(tables)) {
      await queryRunner.query(`ALTER TABLE "${table}" ADD "version" integer NOT NULL DEFAULT 1`);
      await queryRunner.query(`
        CREATE TRIGGER raise_version BEFORE UPDATE ON ${table}
          FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION raise_version()`);
      await auditTable(
        queryRunner,
        table,
        { ...audit, ignored: [...(audit.ignored ?? []), 'version'] },
        condition,
      );
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, { audit, condition }] of Object.entries(tables)) {
      await auditTable(queryRunner, table, audit, condition);
      await queryRunner.query(`DROP TRIGGER raise_version ON ${table}`);
      await queryRunner.query(`ALTER TABLE "${table}" DROP COLUMN "version"`);
    }
    await queryRunner.query('DROP FUNCTION raise_version()');
  }
}

interface Table {
  /** How the table was audited before. */
  readonly audit: { readonly ignored?: readonly string[] } & Record<string, unknown>;
  /** Which updates change the object. */
  readonly condition: string;
}

const tables: Readonly<Record<string, Table>> = {
  apps: {
    audit: {
      type: 'app',
      organization: 'own',
      name: 'name',
      ignored: ['last_build_number'],
      renamed: {
        default_channel_id: 'appChannelId',
        channel_discovery_enabled: 'appChannelDiscoveryEnabled',
        next_build_number: 'nextAppBuildNumber',
      },
    },
    // A new build takes the next number, which does not change the app.
    condition: 'OLD.last_build_number = NEW.last_build_number',
  },
  channels: {
    audit: { type: 'channel', organization: 'app', name: 'name', ignored: ['name_lower'] },
    condition: 'true',
  },
  deployments: {
    audit: {
      type: 'deployment',
      organization: 'app',
      renamed: { build_id: 'appBuildId', channel_id: 'appChannelId' },
    },
    condition: 'true',
  },
};

/** Audits a table with other options. */
async function auditTable(
  queryRunner: QueryRunner,
  table: string,
  audit: Table['audit'],
  condition: string,
): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON ${table}`);
  }
  await queryRunner.query(`CALL audit_table('${table}', '${JSON.stringify(audit)}', '${condition}')`);
}
