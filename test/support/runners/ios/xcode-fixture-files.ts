/** A shared scheme that builds one app. @param target id of the target */
export function schemeText(name: string, target: string): string {
  const reference = `<BuildableReference
               BuildableIdentifier = "primary"
               BlueprintIdentifier = "${target}"
               BuildableName = "${name}.app"
               BlueprintName = "${name}"
               ReferencedContainer = "container:${name}.xcodeproj">
            </BuildableReference>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Scheme
   LastUpgradeVersion = "1620"
   version = "1.7">
   <BuildAction
      parallelizeBuildables = "YES"
      buildImplicitDependencies = "YES">
      <BuildActionEntries>
         <BuildActionEntry
            buildForTesting = "YES"
            buildForRunning = "YES"
            buildForProfiling = "YES"
            buildForArchiving = "YES"
            buildForAnalyzing = "YES">
            ${reference}
         </BuildActionEntry>
      </BuildActionEntries>
   </BuildAction>
   <LaunchAction
      buildConfiguration = "Debug">
   </LaunchAction>
   <ArchiveAction
      buildConfiguration = "Release"
      revealArchiveInOrganizer = "YES">
   </ArchiveAction>
</Scheme>
`;
}

/** The Info.plist of a target, as the templates of Capacitor have it. */
export function infoText(name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>CFBundleDisplayName</key>
	<string>${name === 'App' ? 'Shop' : name}</string>
	<key>CFBundleIdentifier</key>
	<string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
	<key>CFBundleName</key>
	<string>$(PRODUCT_NAME)</string>
	<key>CFBundleShortVersionString</key>
	<string>$(MARKETING_VERSION)</string>
	<key>CFBundleVersion</key>
	<string>$(CURRENT_PROJECT_VERSION)</string>
</dict>
</plist>
`;
}

/** The configurations Debug and Release with the same settings. */
export function configurations(
  ids: readonly [string, string],
  settings: Readonly<Record<string, string>>,
): string {
  const quoted = (text: string): string => (/^[\w./]+$/.test(text) ? text : `"${text}"`);
  const lines = Object.entries(settings)
    .map(([key, value]) => `\t\t\t\t${quoted(key)} = ${quoted(value)};\n`)
    .join('');
  return ['Debug', 'Release']
    .map(
      (name, position) => `		${ids[position]} /* ${name} */ = {
			isa = XCBuildConfiguration;
			buildSettings = {
${lines}			};
			name = ${name};
		};
`,
    )
    .join('');
}
