import { IsBoolean, IsOptional, Matches, MaxLength } from 'class-validator';
import { Env } from './env.decorator.js';
import { type GroupRole, IsGroupRoles } from './group-roles.js';
import { IsIssuer } from './issuer.decorator.js';

/** How people sign in. */
export class SignInConfig {
  /** Whether people can sign in with the passwords that Slipway keeps. `false` requires `OIDC_ISSUER`. */
  @Env('LOCAL_SIGN_IN')
  @IsBoolean()
  local: boolean = true;
}

/** Signing in by an OpenID provider. */
export class OidcConfig {
  /**
   * Issuer identifier of the provider, such as `https://login.example.com/realms/acme`: its address without
   * `/.well-known/openid-configuration`. `http` only on a loopback address. Unset: no sign-in with OpenID.
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

  /** Client secret. Unset: a public client, which only PKCE protects. */
  @Env('OIDC_CLIENT_SECRET')
  @IsOptional()
  @MaxLength(1000)
  clientSecret: string | null = null;

  /** Requested scopes, separated by spaces; `openid` is required. */
  @Env('OIDC_SCOPES')
  @Matches(/^(\S+ +)*openid( +\S+)*$/, {
    message: '$property must be scopes separated by spaces, with openid',
  })
  scopes: string = 'openid email profile';

  /** Name of the provider on the sign-in page: "Sign in with …". At most 50 characters. */
  @Env('OIDC_NAME')
  @MaxLength(50)
  name: string = 'single sign-on';

  /** Claim that holds the e-mail address. */
  @Env('OIDC_EMAIL_CLAIM')
  @MaxLength(200)
  emailClaim: string = 'email';

  /**
   * Whether every address of the provider counts as verified. Otherwise only those in the claim `email` with
   * `email_verified` do.
   */
  @Env('OIDC_TRUST_EMAIL')
  @IsBoolean()
  trustEmail: boolean = false;

  /** Claim that holds the display name. */
  @Env('OIDC_NAME_CLAIM')
  @MaxLength(200)
  nameClaim: string = 'name';

  /** Claim that holds the names of groups. */
  @Env('OIDC_GROUPS_CLAIM')
  @MaxLength(200)
  groupsClaim: string = 'groups';

  /** Roles of groups: a JSON array of `{"group": "…", "organizationId": "<UUID>", "role": "…"}`. */
  @Env('OIDC_GROUP_ROLES')
  @IsGroupRoles()
  groupRoles: GroupRole[] = [];

  /** Whether every sign-in at the provider counts as one with a second factor, regardless of `amr`. */
  @Env('OIDC_TRUST_SECOND_FACTOR')
  @IsBoolean()
  trustSecondFactor: boolean = false;
}

/** The name of the OpenID provider; `null` when none is configured. */
export function providerNameOf({ issuer, name }: OidcConfig): string | null {
  return issuer === null ? null : name;
}
