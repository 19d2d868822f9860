import { IsBoolean } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { type GitAuthKind, type GitProvider, gitProviders } from './git-connection.entity.js';
import {
  IsGitAuthKind,
  IsGitBaseUrl,
  IsGitPassword,
  IsGitToken,
  IsGitUsername,
} from './git-credential.decorators.js';

/** A new git connection. */
@ApiExample({ provider: 'github', authKind: 'token', token: 'github_pat_11ABCDEFG0123456789' })
export class CreateGitConnectionDto {
  /** `git_http` is any server that speaks git's HTTP protocol. */
  @IsOneOf(gitProviders, 'GitProvider')
  provider!: GitProvider;

  /** `token`: an access token; `basic`: a user name and a password. */
  @IsGitAuthKind()
  authKind!: GitAuthKind;

  /** Unique in the organization, ignoring case. Generated if omitted. */
  @IsAbsentOr()
  @IsName()
  name?: string;

  /**
   * Address of a self-hosted server, such as `https://git.example.com`; `null`: the cloud of the provider. Required for
   * `git_http`. If the server is not public, an operator must [allow it](security.md#outbound-calls).
   */
  @IsNullable()
  @IsGitBaseUrl()
  baseUrl?: string | null;

  /** Required for `token`. Never returned. */
  @IsAbsentOr()
  @IsGitToken()
  token?: string;

  /** Required for `basic`, except with `git_http`. */
  @IsAbsentOr()
  @IsGitUsername()
  username?: string;

  /** Required for `basic`, except with `git_http`. Never returned. */
  @IsAbsentOr()
  @IsGitPassword()
  password?: string;

  /** Whether only you can use it. Default: false. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  restricted?: boolean;

  /** The only app that can use it; `null`: every app of the organization. */
  @IsNullable()
  @IsId()
  appId?: string | null;
}
