/**
 * The condition on `users` for a link to the first password: the user has no other way to sign in, so the link opens no
 * account that something else protects.
 */
export const MAY_SET_FIRST_PASSWORD = `
  users.disabled_at IS NULL
  AND NOT users.two_factor_enabled
  AND NOT EXISTS (SELECT FROM passwords WHERE passwords.user_id = users.id)
  AND NOT EXISTS (SELECT FROM user_identities WHERE user_identities.user_id = users.id)`;

/**
 * The condition on `users` for a link to a new password, which is mailed: the user does not sign in at the OpenID
 * provider only. It also verifies the address, if that was not done.
 */
export const MAY_SET_NEW_PASSWORD = `
  users.disabled_at IS NULL
  AND (EXISTS (SELECT FROM passwords WHERE passwords.user_id = users.id)
       OR NOT EXISTS (SELECT FROM user_identities WHERE user_identities.user_id = users.id))`;
