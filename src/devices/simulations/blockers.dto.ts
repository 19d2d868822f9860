import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type RemedyKind, remedyKinds } from '../decisions/remedy.dto.js';
import { type Blockers, remedies } from './blockers.js';
import { ExcludedDto } from './simulation.dto.js';

/** Devices that do not get a deployment, for one reason. */
export class BlockerDto extends ExcludedDto {
  /** What would let these devices get it, as in explanations; `null`: no change of one object does. */
  @ApiProperty({ type: 'string', enum: [...remedyKinds, null], nullable: true })
  remedy!: RemedyKind | null;
}

/** Why devices of a channel do not run what a deployment delivers. */
@ApiExample({ devices: 812, running: 700, evaluatedDevices: 112, atNextCheck: 96, withheld: 4 })
export class DeploymentBlockersDto {
  /** When this was computed: a moment ago, or earlier if others had asked already. */
  @ApiTime()
  computedAt!: string;

  /** Only devices seen since this time count. */
  @ApiTime()
  seenSince!: string;

  /** Devices whose last check asked for the channel, and those that are forced to it. */
  @ApiProperty({ type: 'integer' })
  devices!: number;

  /** Devices among them that run the bundle of the deployment. */
  @ApiProperty({ type: 'integer' })
  running!: number;

  /** Devices among the others that were evaluated: all, or a sample of at most 100,000. The numbers below count these. */
  @ApiProperty({ type: 'integer' })
  evaluatedDevices!: number;

  /**
   * Whether all devices were evaluated.
   * @example true
   */
  isExact!: boolean;

  /** Devices that get the deployment with their next check, or have got it and do not run it yet. */
  @ApiProperty({ type: 'integer' })
  atNextCheck!: number;

  /** Devices that it is withheld from, because they rolled its bundle back too often. The remedy is `offer-again`. */
  @ApiProperty({ type: 'integer' })
  withheld!: number;

  @ApiProperty({ type: [BlockerDto], description: 'Why the others do not get it, most frequent first.' })
  blockers!: BlockerDto[];
}

/** What was counted. */
export interface CountedBlockers {
  readonly blockers: Blockers;
  readonly now: Date;
  readonly seenSince: Date;
  readonly devices: number;
  readonly running: number;
}

/** The response for what keeps devices from a deployment. */
export function toDeploymentBlockersDto(counted: CountedBlockers): DeploymentBlockersDto {
  const { blockers, now, seenSince, devices, running } = counted;
  return {
    computedAt: now.toISOString(),
    seenSince: seenSince.toISOString(),
    devices,
    running,
    evaluatedDevices: blockers.devices,
    isExact: blockers.devices === devices - running,
    atNextCheck: blockers.atNextCheck,
    withheld: blockers.withheld,
    blockers: [...blockers.excluded]
      .map(([reason, count]) => ({ reason, devices: count, remedy: remedies[reason] }))
      .sort((a, b) => b.devices - a.devices),
  };
}
