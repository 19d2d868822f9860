package android.content.pm;

public class PackageInfo {

    public int versionCode;
    public String versionName;
}
