import { FormText } from '../../pages/forms/form-text.decorator.js';

/** The password of a share. */
export class SharePasswordForm {
  @FormText(1024)
  password: string = '';
}
