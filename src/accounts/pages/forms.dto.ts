import { FormText } from './form-text.decorator.js';

/** What somebody typed to sign in. */
export class LoginForm {
  @FormText(320)
  email: string = '';

  @FormText(1024)
  password: string = '';

  @FormText(100)
  next: string = '';
}

/** Which page to return to. */
export class LoginQuery {
  @FormText(1000)
  next: string = '';
}

/** The second step of a sign-in. */
export class SecondFactorForm {
  /** Proves that the first step was done. */
  @FormText(1000)
  challenge: string = '';

  @FormText(100)
  code: string = '';

  @FormText(100)
  next: string = '';
}

/** A code that a program shows, and the decision on it. */
export class DeviceForm {
  @FormText(100)
  code: string = '';

  /** `approve` or `deny`; empty: just look. */
  @FormText(10)
  decision: string = '';
}

/** A new API token. */
export class TokenForm {
  @FormText(1000)
  name: string = '';

  /** Days. */
  @FormText(10)
  expires: string = '';
}

/** An object of a list. */
export class IdForm {
  @FormText(36)
  id: string = '';
}

/** A new password. */
export class PasswordForm {
  @FormText(1024)
  current: string = '';

  @FormText(1024)
  password: string = '';

  @FormText(1024)
  repeated: string = '';
}

/** The first code of an authenticator app. */
export class EnrolForm {
  /** The sealed secret that the app was given. */
  @FormText(1000)
  sealed: string = '';

  @FormText(100)
  code: string = '';
}

/** The password, again. */
export class ConfirmForm {
  @FormText(1024)
  password: string = '';
}
