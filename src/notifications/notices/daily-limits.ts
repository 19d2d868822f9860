/** Most mails to one user about one organization in 24 hours. */
export const MAILS_PER_DAY = 50;

/** How many of them are about one kind of event, such as jobs without a runner: so many of these hide no other kind. */
export const MAILS_OF_A_KIND = 20;
