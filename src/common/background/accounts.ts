/** The account of organizations that no user has founded: the operator made them. */
export const INSTALLATION = 'installation';

/**
 * Whose shares the work of a tenant takes. Organizations are free, so shared capacity is divided by account: the user who
 * founded the organization. Provided by the area `organizations`.
 */
export abstract class Accounts {
  /**
   * @param tenantId the id of an organization, or of a user for work that belongs to none
   * @returns the id of the user who founded it, `INSTALLATION`, or the id of a tenant that is no organization itself
   */
  abstract of(tenantId: string): Promise<string>;
}

/**
 * An SQL expression: the account of an organization.
 *
 * @param organization the table `organizations`, or its alias
 */
export const accountOf = (organization: string): string =>
  `coalesce(${organization}.account_id::text, '${INSTALLATION}')`;
