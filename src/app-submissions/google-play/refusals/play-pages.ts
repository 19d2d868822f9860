/** Pages where the user acts. The address of one app contains numbers that the API does not have. */
export const PLAY_CONSOLE = 'https://play.google.com/console';
export const PLAY_USERS = 'https://play.google.com/console/users-and-permissions';
export const CLOUD_API = 'https://console.cloud.google.com/apis/library/androidpublisher.googleapis.com';
export const CLOUD_KEYS = 'https://console.cloud.google.com/iam-admin/serviceaccounts';
