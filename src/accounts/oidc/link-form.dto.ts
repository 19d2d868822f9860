import { FormText } from '../../pages/forms/form-text.decorator.js';
import { FactorsForm } from '../identity-proofs/factors-form.dto.js';

/** The proof of an account that is linked to one of the provider. */
export class LinkForm extends FactorsForm {
  /** The sealed sign-in. */
  @FormText(12_000)
  sealed: string = '';
}
