/** The languages of App Store Connect: https://developer.apple.com/help/app-store-connect/reference/app-store-localizations */
export const LOCALES: readonly string[] =
  'ar-SA bn-BD ca cs da de-DE el en-AU en-CA en-GB en-US es-ES es-MX fi fr-CA fr-FR gu-IN he hi hr hu id it ja kn-IN ko ml-IN mr-IN ms nl-NL no or-IN pa-IN pl pt-BR pt-PT ro ru sk sl-SI sv ta-IN te-IN th tr uk ur-PK vi zh-Hans zh-Hant'.split(
    ' ',
  );
