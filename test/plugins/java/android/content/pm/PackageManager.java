package android.content.pm;

import slipway.Phone;

public class PackageManager {

    public static class NameNotFoundException extends Exception {}

    public static final class PackageInfoFlags {

        public static PackageInfoFlags of(long value) {
            return new PackageInfoFlags();
        }
    }

    public PackageInfo getPackageInfo(String packageName, PackageInfoFlags flags) throws NameNotFoundException {
        PackageInfo info = new PackageInfo();
        info.versionCode = Phone.settings().optInt("versionCode");
        info.versionName = Phone.settings().optString("versionName");
        return info;
    }

    public PackageInfo getPackageInfo(String packageName, int flags) throws NameNotFoundException {
        return getPackageInfo(packageName, PackageInfoFlags.of(flags));
    }
}
