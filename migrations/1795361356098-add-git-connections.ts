import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddGitConnections1795361356098 implements MigrationInterface {
  name = 'AddGitConnections1795361356098';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "git_connections" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "organization_id" uuid NOT NULL,
                "app_id" uuid,
                "name" text NOT NULL,
                "name_lower" text NOT NULL,
                "provider" text NOT NULL,
                "auth_kind" text NOT NULL,
                "auth_username" text,
                "sealed_secret" text,
                "base_url" text,
                "restricted" boolean NOT NULL DEFAULT false,
                "created_by" uuid,
                "broken_at" TIMESTAMP(3) WITH TIME ZONE,
                "last_used_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "git_connections_organization_id_name_lower_key" UNIQUE ("organization_id", "name_lower"),
                CONSTRAINT "git_connections_provider_check" CHECK (
                    provider IN (
                        'azure_devops',
                        'bitbucket',
                        'gitea',
                        'git_http',
                        'github',
                        'gitlab'
                    )
                ),
                CONSTRAINT "git_connections_auth_kind_check" CHECK (auth_kind IN ('basic', 'token')),
                CONSTRAINT "git_connections_sealed_secret_check" CHECK (sealed_secret LIKE 'v1.%'),
                CONSTRAINT "git_connections_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "git_connections_app_id_idx" ON "git_connections" ("app_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "git_connections_created_by_idx" ON "git_connections" ("created_by")
        `);
    await queryRunner.query(`
            CREATE TABLE "app_repositories" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "git_connection_id" uuid,
                "provider" text NOT NULL,
                "provider_base_url" text,
                "provider_repository_id" text NOT NULL,
                "name" text NOT NULL,
                "path" text NOT NULL,
                "web_url" text NOT NULL,
                CONSTRAINT "app_repositories_app_id_key" UNIQUE ("app_id"),
                CONSTRAINT "app_repositories_provider_check" CHECK (
                    provider IN (
                        'azure_devops',
                        'bitbucket',
                        'gitea',
                        'git_http',
                        'github',
                        'gitlab'
                    )
                ),
                CONSTRAINT "app_repositories_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "app_repositories_git_connection_id_idx" ON "app_repositories" ("git_connection_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "git_connections"
            ADD CONSTRAINT "git_connections_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE
        `);
    await queryRunner.query(`
            ALTER TABLE "git_connections"
            ADD CONSTRAINT "git_connections_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE
        `);
    await queryRunner.query(`
            ALTER TABLE "git_connections"
            ADD CONSTRAINT "git_connections_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "app_repositories"
            ADD CONSTRAINT "app_repositories_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE
        `);
    await queryRunner.query(`
            ALTER TABLE "app_repositories"
            ADD CONSTRAINT "app_repositories_git_connection_id_fkey" FOREIGN KEY ("git_connection_id") REFERENCES "git_connections"("id") ON DELETE SET NULL
        `);
    await queryRunner.query(
      `CALL audit_table('git_connections', '{"type":"git-connection","organization":"own","name":"name","secret":["sealed_secret"],"ignored":["name_lower","broken_at","last_used_at"]}')`,
    );
    await queryRunner.query(
      `CALL audit_table('app_repositories', '{"type":"app-repository","organization":"app","name":"path"}')`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "app_repositories"`);
    await queryRunner.query(`DROP TABLE "git_connections"`);
  }
}
