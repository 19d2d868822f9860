/** Pages where the user acts. */
export const APP_STORE_CONNECT = 'https://appstoreconnect.apple.com';
export const CONNECT_APPS = 'https://appstoreconnect.apple.com/apps';
export const CONNECT_KEYS = 'https://appstoreconnect.apple.com/access/integrations/api';
export const CONNECT_AGREEMENTS = 'https://appstoreconnect.apple.com/business';
export const APPLE_ACCOUNT = 'https://developer.apple.com/account';
export const XCODE_RELEASES = 'https://developer.apple.com/news/upcoming-requirements/';
