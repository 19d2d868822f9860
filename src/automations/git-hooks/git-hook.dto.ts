import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { ApiProperty } from '@nestjs/swagger';
import { type GitProvider, gitProviders } from '../../organizations/git-connections/git-connection.entity.js';

/** How Slipway learns of pushes to the repository of an app. */
export class RepositoryHookDto {
  @ApiProperty({ enum: gitProviders, enumName: 'GitProvider' })
  provider!: GitProvider;

  /**
   * Where the git server is to send its events; `null`: no hook was made yet.
   * @example 'https://slipway.example.com/v1/git-events/github/0199b0c2-7c1e-7a1b-a2c3-d4e5f6071829'
   */
  address!: string | null;

  /** When the git server sent an event last; `null`: never. */
  @ApiTime()
  lastEventAt!: string | null;

  /** Why a delivery was refused last; `null`: none was. Noted at most once a minute. */
  lastError!: string | null;

  @ApiTime()
  lastErrorAt!: string | null;

  /** When the branches and tags were read last; `null`: never. */
  @ApiTime()
  lastLookAt!: string | null;

  /** Why they could not be read since; `null`: they could. */
  lastLookError!: string | null;

  /** When they will be read next; `null`: when an automation waits for pushes. */
  @ApiTime()
  nextLookAt!: string | null;

  /**
   * How many times they were read since something had changed.
   * @example 12
   */
  unchangedLooks!: number;
}

/** An app that uses a hook. */
export class HookAppDto {
  @ApiId()
  id!: string;

  /** @example 'Shop' */
  name!: string;
}

/** A hook with its new secret, which is not shown again. */
export class RotatedHookDto {
  /**
   * Where the git server is to send its events.
   * @example 'https://slipway.example.com/v1/git-events/github/0199b0c2-7c1e-7a1b-a2c3-d4e5f6071829'
   */
  address!: string;

  /**
   * The header in which the server has to send the secret; `null`: it signs its events with the secret.
   * @example null
   */
  header!: string | null;

  /** @example 'mJ1q0yqOZQf4q0F8dH1cY8mXn3kq2b7v5tYzR9wLxEo' */
  secret!: string;

  /** The other apps with this hook that you can see: they get no more events until the server has the new secret. */
  otherApps!: HookAppDto[];

  /**
   * How many more apps have this hook.
   * @example 0
   */
  moreApps!: number;
}
