package com.getcapacitor;

import android.app.Activity;
import android.content.Context;
import android.content.SharedPreferences;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import java.io.File;

/**
 * Which folder the web view shows: the parts of Bridge.java that decide it. A new binary goes back to the files that it
 * brought; otherwise the stored path is used, if it still exists.
 */
public class Bridge {

    public static final String DEFAULT_WEB_ASSET_DIR = "public";

    private final Context context = new Activity();
    private String basePath = DEFAULT_WEB_ASSET_DIR;
    private WebViewListener listener;

    public Bridge() throws PackageManager.NameNotFoundException {
        String path = preferences().getString(com.getcapacitor.plugin.WebView.CAP_SERVER_PATH, null);
        if (!isNewBinary() && path != null && !path.isEmpty() && new File(path).exists()) basePath = path;
    }

    private SharedPreferences preferences() {
        return context.getSharedPreferences(com.getcapacitor.plugin.WebView.WEBVIEW_PREFS_NAME, Activity.MODE_PRIVATE);
    }

    private boolean isNewBinary() throws PackageManager.NameNotFoundException {
        PackageInfo info = context.getPackageManager().getPackageInfo(context.getPackageName(), 0);
        String versionCode = Integer.toString(info.versionCode);
        boolean isSame =
            versionCode.equals(preferences().getString("lastBinaryVersionCode", null)) &&
            info.versionName.equals(preferences().getString("lastBinaryVersionName", null));
        if (isSame) return false;
        preferences()
            .edit()
            .putString("lastBinaryVersionCode", versionCode)
            .putString("lastBinaryVersionName", info.versionName)
            .putString(com.getcapacitor.plugin.WebView.CAP_SERVER_PATH, "")
            .apply();
        return true;
    }

    public Context getContext() {
        return context;
    }

    public String getServerBasePath() {
        return basePath;
    }

    public void setServerBasePath(String path) {
        basePath = path;
    }

    public void setServerAssetPath(String path) {
        basePath = path;
    }

    /** Shows the page again, which calls nothing here. */
    public void reload() {}

    public void addWebViewListener(WebViewListener listener) {
        this.listener = listener;
    }

    /** The page of the app has been loaded. */
    public void loaded() {
        if (listener != null) listener.onPageLoaded(new android.webkit.WebView());
    }

    public void saveCall(PluginCall call) {}

    public void releaseCall(PluginCall call) {}
}
