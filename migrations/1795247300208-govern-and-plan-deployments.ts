import { MigrationInterface, QueryRunner } from 'typeorm';

export class GovernAndPlanDeployments1795247300208 implements MigrationInterface {
  name = 'GovernAndPlanDeployments1795247300208';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "deployment_approvals" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "deployment_id" uuid NOT NULL,
                "user_id" uuid NOT NULL,
                "decision" text NOT NULL,
                "comment" text,
                CONSTRAINT "deployment_approvals_deployment_id_user_id_key" UNIQUE ("deployment_id", "user_id"),
                CONSTRAINT "deployment_approvals_decision_check" CHECK (decision IN ('approved', 'rejected')),
                CONSTRAINT "deployment_approvals_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "deployment_approvals_app_id_idx" ON "deployment_approvals" ("app_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "deployment_approvals_user_id_idx" ON "deployment_approvals" ("user_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "rollout_plans" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "deployment_id" uuid NOT NULL,
                "steps" jsonb NOT NULL,
                "health_gate" jsonb,
                "state" text NOT NULL,
                "reason" text,
                "state_since" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "step_index" smallint,
                "step_started_at" TIMESTAMP(3) WITH TIME ZONE,
                "step_ends_at" TIMESTAMP(3) WITH TIME ZONE,
                "next_check_at" TIMESTAMP(3) WITH TIME ZONE,
                "observed_since" TIMESTAMP(3) WITH TIME ZONE,
                "frozen_until" TIMESTAMP(3) WITH TIME ZONE,
                "evidence" jsonb,
                CONSTRAINT "rollout_plans_deployment_id_key" UNIQUE ("deployment_id"),
                CONSTRAINT "rollout_plans_next_check_check" CHECK (
                    (next_check_at IS NOT NULL) = (state = 'running')
                ),
                CONSTRAINT "rollout_plans_reason_state_check" CHECK (
                    (reason IS NOT NULL) = (state IN ('held', 'aborted'))
                ),
                CONSTRAINT "rollout_plans_reason_check" CHECK (
                    reason IN (
                        'person',
                        'health-gate',
                        'share-changed',
                        'superseded'
                    )
                ),
                CONSTRAINT "rollout_plans_state_check" CHECK (
                    state IN (
                        'draft',
                        'running',
                        'held',
                        'completed',
                        'aborted'
                    )
                ),
                CONSTRAINT "rollout_plans_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "rollout_plans_app_id_idx" ON "rollout_plans" ("app_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "channels"
            ADD "required_approvals" smallint NOT NULL DEFAULT '0'
        `);
    await queryRunner.query(`
            ALTER TABLE "channels"
            ADD "freeze_windows" jsonb NOT NULL DEFAULT '[]'
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD "approval_status" text NOT NULL DEFAULT 'approved'
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD "required_approvals" smallint NOT NULL DEFAULT '0'
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD "created_by_user_id" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD "emergency_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD "emergency_by_user_id" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD "emergency_reason" text
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD "offered_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD "applied_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD "rolled_back_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_created_by_user_id_idx" ON "deployments" ("created_by_user_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_emergency_by_user_id_idx" ON "deployments" ("emergency_by_user_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_pending_idx" ON "deployments" ("channel_id", "sequence")
            WHERE approval_status = 'pending'
        `);
    await queryRunner.query(`
            CREATE INDEX "devices_deployment_id_idx" ON "devices" ("deployment_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "channels"
            ADD CONSTRAINT "channels_required_approvals_check" CHECK (
                    required_approvals BETWEEN 0 AND 5
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD CONSTRAINT "deployments_required_approvals_check" CHECK (
                    required_approvals BETWEEN 0 AND 5
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD CONSTRAINT "deployments_approval_status_check" CHECK (
                    approval_status IN ('approved', 'pending', 'rejected')
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD CONSTRAINT "deployments_created_by_user_id_fkey" FOREIGN KEY ("created_by_user_id") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD CONSTRAINT "deployments_emergency_by_user_id_fkey" FOREIGN KEY ("emergency_by_user_id") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "deployment_approvals"
            ADD CONSTRAINT "deployment_approvals_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "deployment_approvals"
            ADD CONSTRAINT "deployment_approvals_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployments"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "deployment_approvals"
            ADD CONSTRAINT "deployment_approvals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "rollout_plans"
            ADD CONSTRAINT "rollout_plans_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "rollout_plans"
            ADD CONSTRAINT "rollout_plans_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployments"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            CALL audit_table('deployment_approvals', '{"type":"deployment-approval","organization":"app","user":"user_id",
                "renamed":{"deployment_id":"appDeploymentId"}}')
        `);
    // When it is looked at next is no decision of anybody.
    await queryRunner.query(`
            CALL audit_table('rollout_plans', '{"type":"rollout-plan","organization":"app","ignored":["next_check_at"],
                "renamed":{"deployment_id":"appDeploymentId"}}')
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "rollout_plans" DROP CONSTRAINT "rollout_plans_deployment_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "rollout_plans" DROP CONSTRAINT "rollout_plans_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployment_approvals" DROP CONSTRAINT "deployment_approvals_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployment_approvals" DROP CONSTRAINT "deployment_approvals_deployment_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployment_approvals" DROP CONSTRAINT "deployment_approvals_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP CONSTRAINT "deployments_emergency_by_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP CONSTRAINT "deployments_created_by_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP CONSTRAINT "deployments_approval_status_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP CONSTRAINT "deployments_required_approvals_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "channels" DROP CONSTRAINT "channels_required_approvals_check"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."devices_deployment_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployments_pending_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployments_emergency_by_user_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployments_created_by_user_id_idx"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP COLUMN "rolled_back_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP COLUMN "applied_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP COLUMN "offered_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP COLUMN "emergency_reason"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP COLUMN "emergency_by_user_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP COLUMN "emergency_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP COLUMN "created_by_user_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP COLUMN "required_approvals"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP COLUMN "approval_status"
        `);
    await queryRunner.query(`
            ALTER TABLE "channels" DROP COLUMN "freeze_windows"
        `);
    await queryRunner.query(`
            ALTER TABLE "channels" DROP COLUMN "required_approvals"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."rollout_plans_app_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "rollout_plans"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployment_approvals_user_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployment_approvals_app_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "deployment_approvals"
        `);
  }
}
