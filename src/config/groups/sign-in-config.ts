import { IsBoolean, IsOptional, Matches, MaxLength } from 'class-validator';
import { Env } from '../env.decorator.js';
import { type GroupRole, IsGroupRoles } from '../group-roles.js';
import { IsIssuer } from '../issuer.decorator.js';

/** How people sign in. */
export class SignInConfig {
  /**
   * Whether people can sign in with passwords stored in Slipway. With `false`, only the OpenID provider remains.
   *
   * @values `true`, `false`; `false` requires `OIDC_ISSUER`
   */
  @Env('LOCAL_SIGN_IN')
  @IsBoolean()
  local: boolean = true;

  /**
   * Whether people who are invited and have no account create one with the link of the
   * [invitation](authentication.md#invitations). With `false`, and with `LOCAL_SIGN_IN=false`, invitations have no such
   * links.
   */
  @Env('INVITATIONS_CREATE_ACCOUNTS')
  @IsBoolean()
  invitationsCreateAccounts: boolean = true;
}

/** Signing in by an OpenID provider. */
export class OidcConfig {
  /**
   * Issuer identifier of the OpenID provider: its URL without `/.well-known/openid-configuration`. See [OpenID
   * Connect](openid-connect.md).
   *
   * @default none: no such sign-in
   * @values an `https` URL without a query; `http` on `localhost`, `127.0.0.0/8` and `[::1]` only
   */
  @Env('OIDC_ISSUER')
  @IsOptional()
  @IsIssuer()
  issuer: string | null = null;

  /** Client id of Slipway at the provider. Required with `OIDC_ISSUER`. */
  @Env('OIDC_CLIENT_ID')
  @IsOptional()
  @MaxLength(1000)
  clientId: string | null = null;

  /**
   * Secret of that client. If unset, Slipway is a public client, protected by PKCE alone.
   *
   * @default none: public client
   */
  @Env('OIDC_CLIENT_SECRET', { secret: true })
  @IsOptional()
  @MaxLength(1000)
  clientSecret: string | null = null;

  /**
   * Scopes that Slipway requests from the provider.
   *
   * @values scopes separated by spaces, including `openid`
   */
  @Env('OIDC_SCOPES')
  @Matches(/^(\S+ +)*openid( +\S+)*$/, {
    message: '$property must be scopes separated by spaces, with openid',
  })
  scopes: string = 'openid email profile';

  /** Name of the provider in "Sign in with …". */
  @Env('OIDC_NAME')
  @MaxLength(50)
  name: string = 'single sign-on';

  /** Claim with the email address. */
  @Env('OIDC_EMAIL_CLAIM')
  @MaxLength(200)
  emailClaim: string = 'email';

  /**
   * Whether every address from the provider counts as verified, without `email_verified`. Use it only if users
   * cannot choose their address at the provider.
   */
  @Env('OIDC_TRUST_EMAIL')
  @IsBoolean()
  trustEmail: boolean = false;

  /**
   * Whether the first sign-in at the provider links a user who has a password or an authenticator app here without
   * asking for it. Use it only if the provider is as trusted as Slipway itself.
   */
  @Env('OIDC_LINK_WITHOUT_PROOF')
  @IsBoolean()
  linkWithoutProof: boolean = false;

  /** Claim with the display name. */
  @Env('OIDC_NAME_CLAIM')
  @MaxLength(200)
  nameClaim: string = 'name';

  /** Claim with the names of groups. */
  @Env('OIDC_GROUPS_CLAIM')
  @MaxLength(200)
  groupsClaim: string = 'groups';

  /**
   * Roles in organizations that groups of the provider give.
   *
   * @default `[]`: none
   * @values a JSON array of `{"group": "developers", "organizationId": "<UUID>", "role": "member"}`
   */
  @Env('OIDC_GROUP_ROLES')
  @IsGroupRoles()
  groupRoles: GroupRole[] = [];

  /** Whether every sign-in at the provider counts as one with a second factor, whatever its `amr` contains. */
  @Env('OIDC_TRUST_SECOND_FACTOR')
  @IsBoolean()
  trustSecondFactor: boolean = false;
}

/** The name of the OpenID provider; `null` when none is configured. */
export function providerNameOf({ issuer, name }: OidcConfig): string | null {
  return issuer === null ? null : name;
}
