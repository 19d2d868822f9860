import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, Matches } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { isRefPattern, MAX_REF_PATTERN_LENGTH, MAX_REF_PATTERNS } from '../../common/ref-patterns.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsEmptyOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { uuidPattern } from '../../common/validation/uuid.js';
import { WithoutDoubles } from '../../common/validation/without-doubles.decorator.js';
import { type BuildPlatform, buildPlatforms } from '../../native-builds/builds/build.entity.js';
import { type Automation, type TriggerType, triggerTypes } from './automation.entity.js';

/** Most channels that the builds of one automation go to. */
const MAX_CHANNELS = 20;
/** In characters. */
const MAX_MESSAGE_PATTERN_LENGTH = 255;

const patternMessage = `$property must be a pattern such as release/*: 1 to ${MAX_REF_PATTERN_LENGTH} characters with at most three *.`;

const IsOptionalId = (): PropertyDecorator => applyDecorators(IsNullable(), IsId());
const IsOptionalName = (): PropertyDecorator => applyDecorators(IsNullable(), IsName());

/** Builds an app when its repository changes, as the user who saved it last. */
@ApiExample({
  platform: 'web',
  triggerType: 'branch',
  triggerPattern: 'main',
  triggerPatterns: ['main'],
  appChannelId: exampleId('Channel'),
  appChannelIds: [exampleId('Channel')],
  stoppedReason: null,
})
export class AutomationDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** @example 'Deploy main' */
  name!: string;

  @ApiProperty({ enum: buildPlatforms, enumName: 'BuildPlatform' })
  platform!: BuildPlatform;

  /** Whether it builds. */
  enabled!: boolean;

  /** Why Slipway has disabled it, in a sentence; `null`: it has not. Saving the automation enables it. */
  stoppedReason!: string | null;

  @ApiProperty({ enum: triggerTypes, enumName: 'AutomationTriggerType' })
  triggerType!: TriggerType;

  /** The first of `triggerPatterns`. */
  triggerPattern!: string | null;

  /** The branches or tags that it builds; empty: all. */
  @ApiProperty({ type: [String], example: ['main'] })
  triggerPatterns!: string[];

  /** Only commits whose message has a first line like this are built; `null`: all. */
  commitMessagePattern!: string | null;

  /** Such as `release`; `null`: the first type of the platform. */
  buildType!: string | null;

  /** Machine image; `null`: that of the app. */
  buildStack!: string | null;

  @ApiId()
  appCertificateId!: string | null;

  /** The first of `appChannelIds`. */
  @ApiId()
  appChannelId!: string | null;

  /** The channels that its web builds go to. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' } })
  appChannelIds!: string[];

  @ApiId()
  appConfigurationId!: string | null;

  @ApiId()
  appDestinationId!: string | null;

  /** `null`: its builds have no environment, not even the default one of the app. */
  @ApiId()
  appEnvironmentId!: string | null;

  /** Id of the user who saved it last: it acts as this user. `null`: the user was deleted. */
  @ApiId()
  savedBy!: string | null;

  @ApiTime()
  lastTriggeredAt!: string | null;

  @ApiTime()
  createdAt!: string;

  /** Id of the user who created it; `null`: the user was deleted. */
  @ApiId()
  createdBy!: string | null;

  @ApiTime()
  updatedAt!: string;

  /** Id of the user who changed it last; `null`: the user was deleted. */
  @ApiId()
  updatedBy!: string | null;
}

/** The response for an automation. */
export function toAutomationDto(automation: Automation): AutomationDto {
  return {
    id: automation.id,
    appId: automation.appId,
    name: automation.name,
    platform: automation.platform,
    enabled: automation.enabled,
    stoppedReason: automation.stoppedReason,
    triggerType: automation.triggerType,
    triggerPattern: automation.triggerPatterns[0] ?? null,
    triggerPatterns: [...automation.triggerPatterns],
    commitMessagePattern: automation.commitMessagePattern,
    buildType: automation.buildType,
    buildStack: automation.buildStack,
    appCertificateId: automation.certificateId,
    appChannelId: automation.channelIds[0] ?? null,
    appChannelIds: [...automation.channelIds],
    appConfigurationId: automation.configurationId,
    appDestinationId: automation.destinationId,
    appEnvironmentId: automation.environmentId,
    savedBy: automation.savedByUserId,
    lastTriggeredAt: automation.lastTriggeredAt?.toISOString() ?? null,
    createdAt: automation.createdAt.toISOString(),
    createdBy: automation.createdByUserId,
    updatedAt: automation.updatedAt.toISOString(),
    updatedBy: automation.updatedByUserId,
  };
}

/** A new automation. An id wins over a name, and names are resolved when it is saved. */
@ApiExample({ platform: 'web', triggerType: 'branch', triggerPatterns: ['main'] })
export class CreateAutomationDto {
  /**
   * Unique in the app, ignoring case.
   * @example 'Deploy main'
   */
  @IsName()
  name!: string;

  @IsOneOf(buildPlatforms, 'BuildPlatform')
  platform!: BuildPlatform;

  /** `branch`: pushes to branches; `tag`: new tags; `manual`: only requests. */
  @IsOneOf(['branch', 'tag', 'manual'], 'NewAutomationTriggerType')
  triggerType!: Exclude<TriggerType, 'schedule'>;

  /**
   * The only pattern of branches or tags, such as `main` or `v*`; `null`: all. `*` stands for any characters but slashes,
   * `**` for any. Names of tags if `triggerType` is `tag`, else of branches.
   */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_REF_PATTERN_LENGTH })
  @IsNullable()
  @IsTextThat(isRefPattern, patternMessage)
  triggerPattern?: string | null;

  /** Several patterns, which win over `triggerPattern`; `[]` and `null`: all. */
  @ApiPropertyOptional({ type: [String], nullable: true, maxItems: MAX_REF_PATTERNS })
  @IsNullable()
  @WithoutDoubles()
  @IsTextThat(isRefPattern, patternMessage, { each: true })
  @ArrayMaxSize(MAX_REF_PATTERNS, { message: `$property must hold at most ${MAX_REF_PATTERNS} patterns.` })
  @IsArray({ message: '$property must be a list.' })
  triggerPatterns?: string[] | null;

  /**
   * Only builds commits whose message has a first line like this: `*` stands for any characters, `?` for one. Only with
   * `branch`, and only for repositories whose server has an API that says the message.
   */
  @IsNullable()
  @Matches(/^\P{C}*$/u, { message: '$property must not contain control characters.' })
  @IsText(MAX_MESSAGE_PATTERN_LENGTH, 1)
  commitMessagePattern?: string | null;

  /** As `type` of builds. */
  @IsNullable()
  @IsText(50, 1)
  buildType?: string | null;

  /** As `stack` of builds. */
  @IsNullable()
  @Matches(/^[a-z0-9-]{1,50}$/, {
    message: '$property must consist of 1 to 50 lower-case letters, digits and dashes.',
  })
  buildStack?: string | null;

  @IsOptionalId()
  appCertificateId?: string | null;

  /** The certificate by name. */
  @IsOptionalName()
  appCertificateName?: string | null;

  /** The only channel that its web builds go to. */
  @IsOptionalId()
  appChannelId?: string | null;

  /** The channel by name. */
  @IsOptionalName()
  appChannelName?: string | null;

  /** Several channels, which win over `appChannelId` and over names. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    maxItems: MAX_CHANNELS,
    nullable: true,
  })
  @IsNullable()
  @Matches(uuidPattern, { each: true, message: '$property must be UUIDs.' })
  @ArrayMaxSize(MAX_CHANNELS, { message: `$property must be at most ${MAX_CHANNELS} ids.` })
  @IsArray({ message: '$property must be a list of ids.' })
  appChannelIds?: string[] | null;

  /** Several channels by name. */
  @ApiPropertyOptional({ type: [String], maxItems: MAX_CHANNELS, nullable: true })
  @IsNullable()
  @IsTextThat((text) => text.length > 0 && text.length <= 128, '$property must be names.', { each: true })
  @ArrayMaxSize(MAX_CHANNELS, { message: `$property must be at most ${MAX_CHANNELS} names.` })
  @IsArray({ message: '$property must be a list of names.' })
  appChannelNames?: string[] | null;

  @IsOptionalId()
  appConfigurationId?: string | null;

  /** The configuration by name. */
  @IsOptionalName()
  appConfigurationName?: string | null;

  /** Submits its Android or iOS builds to this destination. */
  @IsOptionalId()
  appDestinationId?: string | null;

  /** The destination by name. */
  @IsOptionalName()
  appDestinationName?: string | null;

  /** Without one, builds have no environment, not even the default one of the app. */
  @IsOptionalId()
  appEnvironmentId?: string | null;

  /** The environment by name. */
  @IsOptionalName()
  appEnvironmentName?: string | null;

  /** Default: `true`. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  enabled?: boolean;
}

/**
 * Changes to an automation; absent fields stay, `null` clears. `{ "enabled": false }` alone disables it. Everything else
 * saves it: from then on, it acts as the caller.
 */
@ApiExample({ triggerPatterns: ['main', 'release/*'] })
export class UpdateAutomationDto extends PartialType(CreateAutomationDto, { skipNullProperties: false }) {}

/** Which automations to list or count. */
export class CountAutomationsQuery {
  @IsEmptyOr()
  @IsOneOf(buildPlatforms, 'BuildPlatform')
  platform?: BuildPlatform;

  /** Only automations whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;
}

/** Which automations to list. */
export class ListAutomationsQuery extends PageQuery {
  /** Only the automation with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  @IsEmptyOr()
  @IsOneOf(buildPlatforms, 'BuildPlatform')
  platform?: BuildPlatform;

  /** Only automations whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;
}

/** How many automations there are. */
export class AutomationCountDto {
  /** @example 3 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;
}

/** An automation that Slipway has stopped. */
export class AutomationStoppedEventDto extends AutomationDto {
  /** Id of the user who gets the mail: the one who saved it last. */
  @ApiId()
  userId!: string | null;

  /**
   * Why, in a sentence.
   * @example 'The environment production was deleted.'
   */
  reason!: string;
}
