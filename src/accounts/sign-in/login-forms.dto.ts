import { FormText } from '../../pages/forms/form-text.decorator.js';

/** The first step of a sign-in. */
export class LoginForm {
  @FormText(320)
  email: string = '';

  @FormText(1024)
  password: string = '';

  @FormText(100)
  next: string = '';
}

/** The second step of a sign-in. */
export class SecondFactorForm {
  /** Proves that the first step succeeded. */
  @FormText(1000)
  challenge: string = '';

  @FormText(100)
  code: string = '';

  @FormText(100)
  next: string = '';
}
