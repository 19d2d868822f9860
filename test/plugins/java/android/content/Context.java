package android.content;

import android.content.pm.PackageManager;
import android.content.res.AssetManager;
import android.content.res.Resources;
import java.io.File;
import slipway.FilePreferences;
import slipway.Phone;

/** The app on the phone of this process. */
public class Context {

    public static final int MODE_PRIVATE = 0;

    public File getFilesDir() {
        return Phone.folder("files");
    }

    public File getCacheDir() {
        return Phone.folder("cache");
    }

    public SharedPreferences getSharedPreferences(String name, int mode) {
        return FilePreferences.named(name);
    }

    public AssetManager getAssets() {
        return new AssetManager();
    }

    public PackageManager getPackageManager() {
        return new PackageManager();
    }

    public String getPackageName() {
        return "com.example.app";
    }

    public Resources getResources() {
        return new Resources();
    }
}
