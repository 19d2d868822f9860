import { permissions } from '../../common/access/permissions.js';
import { FormText } from '../../pages/forms/form-text.decorator.js';
import { FormTexts } from '../../pages/forms/form-texts.decorator.js';
import { MAX_SCOPE_IDS } from '../tokens/scope.decorators.js';

/** A new API token. Its values follow the rules of `CreateTokenDto`. */
export class TokenForm {
  @FormText(1000)
  name: string = '';

  /** A value of `lifetimes`. */
  @FormText(10)
  expires: string = '';

  /** The last day, such as `2030-12-31`, in UTC; empty: `expires` counts. */
  @FormText(10)
  lastDay: string = '';

  /** A value of `accesses`. */
  @FormText(20)
  access: string = '';

  @FormTexts(permissions.length, 50)
  permissions: string[] = [];

  @FormTexts(MAX_SCOPE_IDS, 36)
  organizationIds: string[] = [];

  @FormTexts(MAX_SCOPE_IDS, 36)
  appIds: string[] = [];
}
