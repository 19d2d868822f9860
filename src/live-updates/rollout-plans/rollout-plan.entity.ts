import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Deployment } from '../deployments/deployment.entity.js';

export interface RolloutStep {
  /** Share of devices, 0 to 1; more than in the step before. */
  readonly percentage: number;
  /** How long it lasts; `null` for the last one, which has no end. */
  readonly durationMinutes: number | null;
}

/** When devices that went back to an older bundle stop a plan. */
export interface HealthGate {
  /** The largest acceptable share of these devices, 0 to 1. */
  readonly maxFailureShare: number;
  /** Minimum number of devices that ran the bundle. */
  readonly minDevices: number;
  /** Required confidence that the share is larger, such as 0.95. */
  readonly confidence: number;
}

/** How devices responded to a deployment. See ADR 21. */
export interface Health {
  /** Devices that the deployment is offered to now. */
  readonly offered: number;
  /** Devices among them that have run its bundle. */
  readonly applied: number;
  /** Devices among those that ran another one later. */
  readonly rolledBack: number;
  /** Devices that asked again a day or more after the first offer and have never run it. */
  readonly notApplied: number;
  /** Devices that rolled the bundle back so often that they are not offered it again. Absent in old evidence. */
  readonly blocked?: number;
}

export const planStates = ['draft', 'running', 'held', 'completed', 'aborted'] as const;
export type PlanState = (typeof planStates)[number];

export const planReasons = [
  'person',
  'health-gate',
  'share-changed',
  'superseded',
  'unsafe-reuse',
  'store',
] as const;
export type PlanReason = (typeof planReasons)[number];

/** The progress of a plan. Only the functions of `rollout-plan-state-machine.ts` decide how it changes. */
export interface PlanProgress {
  readonly state: PlanState;
  /** Why it is held or aborted; otherwise `null`. */
  readonly reason: PlanReason | null;
  readonly stateSince: Date;
  /** From 0; `null` before the start. */
  readonly stepIndex: number | null;
  /** `null` before the start, and while a store has not taken the share of the step. */
  readonly stepStartedAt: Date | null;
  /** When the next step is due; `null` unless it is running, and while a store has not taken the share. */
  readonly stepEndsAt: Date | null;
  /** When the queue looks at it next; `null` unless it is running. */
  readonly nextCheckAt: Date | null;
  /** Rollbacks before this time do not count: the start of the plan, or the time when it was last resumed. */
  readonly observedSince: Date | null;
  /** The next step is due, but waits for the end of a freeze. */
  readonly frozenUntil: Date | null;
  /** The device counts when the health gate held the plan. */
  readonly evidence: Health | null;
  /** What the store says, with the reason `store`; otherwise `null`. */
  readonly storeMessage: string | null;
  /** What a user said who held or aborted it; otherwise `null`, and absent from transitions that no user comments on. */
  readonly comment: string | null;
}

/** Raises the share of a deployment step by step. */
@Entity('rollout_plans')
@Unique(['deploymentId'])
@Index('rollout_plans_held_idx', ['appId'], { where: `state = 'held'` })
@Check('rollout_plans_reason_state_check', `(reason IS NOT NULL) = (state IN ('held', 'aborted'))`)
@Check('rollout_plans_next_check_check', `(next_check_at IS NOT NULL) = (state = 'running')`)
export class RolloutPlan extends Row implements PlanProgress {
  @Index()
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('uuid')
  @ForeignKey(() => Deployment, { onDelete: 'CASCADE' })
  deploymentId!: string;

  @Column('jsonb')
  steps!: RolloutStep[];

  @Column('jsonb', { nullable: true })
  healthGate!: HealthGate | null;

  @EnumColumn(planStates)
  state!: PlanState;

  @EnumColumn(planReasons, { nullable: true })
  reason!: PlanReason | null;

  /** What the store says that has held it; `null`: it is not held by a store. */
  @Column('text', { nullable: true })
  storeMessage!: string | null;

  @Column('text', { nullable: true })
  comment!: string | null;

  @TimeColumn()
  stateSince!: Date;

  @Column('smallint', { nullable: true })
  stepIndex!: number | null;

  @TimeColumn({ nullable: true })
  stepStartedAt!: Date | null;

  @TimeColumn({ nullable: true })
  stepEndsAt!: Date | null;

  @TimeColumn({ nullable: true })
  nextCheckAt!: Date | null;

  @TimeColumn({ nullable: true })
  observedSince!: Date | null;

  @TimeColumn({ nullable: true })
  frozenUntil!: Date | null;

  @Column('jsonb', { nullable: true })
  evidence!: Health | null;
}
