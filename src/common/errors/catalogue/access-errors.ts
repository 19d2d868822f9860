import type { CataloguedError } from './catalogued-error.js';

/** Errors of authentication and authorization. */
export const accessErrors = {
  not_authenticated: {
    status: 401,
    message: 'Not authenticated.',
    meaning: 'The request has no token.',
    action: 'Send a token.',
  },
  invalid_token: {
    status: 401,
    message: 'The token is not valid.',
    meaning:
      'The token is malformed, unknown, revoked or expired. This also applies to routes that need no token.',
    action: 'Use another token.',
  },
  csrf_check_failed: {
    status: 403,
    message: 'The request does not come from an up-to-date page of this server. Reload the page.',
    meaning:
      'The request has no token but the [session of a page](authentication.md#requests-of-pages), and it comes from another site, or from a page that was loaded before the last sign-in or sign-out.',
    action: 'Reload the page, or send a token.',
  },
  not_authorized: {
    status: 403,
    message: 'Not authorized.',
    meaning: 'The caller can see the object, but the role does not allow this action.',
    action: 'Ask an owner or admin of the organization.',
  },
  token_limited: {
    status: 403,
    message: 'The token does not allow apps:write here.',
    meaning:
      'The user can do this, but not with this token: the message names the missing permission. Also for managing tokens with a wider scope than the one you send.',
    action: 'Use a token with a [wider scope](authentication.md#token-scope).',
  },
  recent_sign_in_required: {
    status: 403,
    message: 'The sign-in is older than 15 minutes. Sign in again, or do this at /settings/tokens.',
    meaning:
      'Creating and rotating API tokens with a session requires that its user signed in, or confirmed their identity, within the last 15 minutes.',
    action:
      'Sign in again, use `/settings/tokens`, or send an API token. See [recent sign-in](authentication.md#recent-sign-in).',
  },
  user_disabled: {
    status: 403,
    message: 'This account is disabled. Ask an administrator of this server.',
    meaning:
      'The operator has disabled the user. Sessions and API tokens of a disabled user are deleted, so the API itself responds with `invalid_token`.',
    action: 'Ask the operator, who can [enable the user](authentication.md#users).',
  },
  email_not_verified: {
    status: 403,
    message: 'Your e-mail address is not verified.',
    meaning:
      "The caller's email address is not verified. Only its owner can accept further invitations and create organizations.",
    action:
      'Sign in with the OpenID provider, which verifies it, or ask the [operator](authentication.md#users).',
  },
  session_code_pending: {
    status: 400,
    message: 'The sign-in has not been approved yet.',
    meaning: 'The user has not approved or denied the sign-in code yet.',
    action: 'Ask again after three seconds.',
  },
  session_code_denied: {
    status: 403,
    message: 'The sign-in was denied.',
    meaning:
      'The user denied the sign-in on the page `/login/device`, or the program is [too old](authentication.md#signing-in-a-program) to sign in with a code.',
    action: 'Start again, or use `login --token`.',
  },
  session_code_not_found: {
    status: 404,
    message: 'Session code not found.',
    meaning: 'There is no such sign-in code.',
    action: 'Start again.',
  },
  session_code_expired: {
    status: 410,
    message: 'The code has expired.',
    meaning: 'The sign-in code is older than ten minutes.',
    action: 'Start again.',
  },
  session_code_consumed: {
    status: 410,
    message: 'The code was used already.',
    meaning: 'The sign-in code was already exchanged for a session.',
    action: 'Use that session, or start again.',
  },
  cursor_expired: {
    status: 410,
    message: 'The events after this cursor are deleted. Continue with the oldest one: 0190…',
    meaning:
      'The retention has deleted events that come after the cursor (`EVENT_RETENTION_DAYS`), or the database was restored from a backup.',
    action: 'Read again without a cursor, or with the one in the message, and accept the gap.',
  },
  session_not_found: {
    status: 404,
    message: 'Session not found.',
    meaning: 'The user has no such session, or it has ended.',
    action: 'Compare it with `GET /v1/sessions`.',
  },
  wrong_share_password: {
    status: 403,
    message: 'This is not the password of the share.',
    meaning: 'The share of the build has another password.',
    action: 'Ask the person who sent you the address for the password.',
  },
  share_locked: {
    status: 403,
    message: 'This address does not work any more: open the page of the share and type its password.',
    meaning:
      'The share of the build has a password, and the address of the download is not signed, is too old, or is from before the last change of the password.',
    action:
      'Open the page of the share again, or send the password to `POST /v1/app-build-shares/{buildShareId}/unlock`.',
  },
  foreign_form: {
    status: 403,
    message: 'This form is out of date or came from another site. Go back, reload the page and try again.',
    meaning: 'A form was sent from another site, or after the sign-in had ended.',
    action: 'Open the page again.',
  },
  local_sign_in_disabled: {
    status: 403,
    message: 'Passwords are switched off here: sign in with Example.',
    meaning:
      'A password form was sent, but passwords are turned off (`LOCAL_SIGN_IN`), or the user signs in with the OpenID provider and has no password.',
    action: 'Sign in with the provider.',
  },
  oidc_expired: {
    status: 400,
    message: 'This sign-in took too long, was used already or was begun elsewhere. Sign in again.',
    meaning:
      'A sign-in at the OpenID provider took longer than ten minutes, was already used, or started in another browser.',
    action: 'Sign in again.',
  },
  oidc_denied: {
    status: 403,
    message: 'The sign-in with Example was cancelled or denied.',
    meaning: 'The sign-in was cancelled or denied at the OpenID provider.',
    action: 'Ask the people who run the provider.',
  },
  oidc_account_refused: {
    status: 403,
    message: 'The user with this e-mail address belongs to another account of the provider.',
    meaning:
      'The OpenID provider sends no email address or does not verify it, or the user with this address is linked to another account of the provider.',
    action: 'See [account linking](openid-connect.md#account-linking).',
  },
  oidc_failed: {
    status: 502,
    message:
      'Signing in with Example failed: its answer is not valid. Try again, or contact your administrator.',
    meaning: 'The OpenID provider, or the redirect of the browser, sent an invalid response.',
    action: 'Try again. The log has the reason.',
  },
  oidc_unavailable: {
    status: 503,
    message:
      'Signing in with Example is not possible at the moment, because it does not answer. Try again in a minute.',
    meaning: 'The OpenID provider does not respond.',
    action: 'Try again in a minute.',
  },
  owner_required: {
    status: 403,
    message: 'Only owners may make, change or remove owners.',
    meaning: 'Only an owner can add, change or remove owners.',
    action: 'Ask an owner of the organization.',
  },
  storage_quota_exceeded: {
    status: 403,
    message:
      'The organization stores 49990.0 MB of the 50000.0 MB that it may store: delete bundles, or ask the operator for more.',
    meaning: 'A new bundle or file does not fit into what the organization may store.',
    action:
      'Delete bundles, and wait for [retention](retention.md), or ask the operator for a larger [quota](operations.md#storage-quotas).',
  },
  use_restricted: {
    status: 403,
    message: 'The environment production is protected: using it requires the permission environments:use.',
    meaning:
      'The environment or the certificate is protected and the caller lacks the permission to use it, or it is limited to other branches and tags.',
    action: 'Build from a branch or tag in the message, or ask an owner or admin to start the build.',
  },
  own_deployment: {
    status: 403,
    message: 'Another user must approve this deployment: you created it.',
    meaning: 'The caller created the deployment, with this or another token. Other users must approve it.',
    action: 'Ask another user with `deployments:approve`.',
  },
  git_connection_restricted: {
    status: 403,
    message: 'Only its creator can use the git connection GitHub of Ada.',
    meaning: 'The git connection is restricted to the user who created it.',
    action: 'Ask its creator, or add another git connection.',
  },
  address_not_allowed: {
    status: 403,
    message: 'The organization may not be used from your address (203.0.113.7).',
    meaning: "The organization does not allow requests from the caller's address (`ipAllowlist`).",
    action: 'Send the request from a listed address, or ask a member there to change the list.',
  },
  two_factor_required: {
    status: 403,
    message:
      'The organization requires two-factor authentication. Set it up at https://slipway.example.com/settings/two-factor.',
    meaning:
      'The organization requires two-factor authentication (`twoFactorRequired`), and neither does the user have it nor was it used at the OpenID provider.',
    action: 'Set it up at the URL in the message. Tokens work again at once.',
  },
  organization_suspended: {
    status: 403,
    message:
      'The operator of this server has suspended the organization: Please contact billing@example.com.',
    meaning:
      'The operator has [suspended](operations.md#suspending-an-organization) the organization: its members can read, but change nothing. The message has the reason, if there is one. Devices get their updates.',
    action: 'Ask the operator. Send the request again when the organization is resumed.',
  },
  country_not_allowed: {
    status: 403,
    message: 'The organization may not be used from your country (DE).',
    meaning:
      "The organization does not allow requests from the caller's country (`countryAllowlist`), or the country is unknown.",
    action: 'As above. If the country is unknown, ask the operator to set `COUNTRY_HEADER`.',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
