import { FormText } from '../../pages/forms/form-text.decorator.js';

/** A new password. */
export class PasswordForm {
  @FormText(1024)
  current: string = '';

  @FormText(1024)
  password: string = '';

  @FormText(1024)
  repeated: string = '';
}

/** The password, to confirm a change. */
export class ConfirmForm {
  @FormText(1024)
  password: string = '';
}
