package android.content;

/** What the plugin and Capacitor use of it. */
public interface SharedPreferences {
    String getString(String key, String defaultValue);
    int getInt(String key, int defaultValue);
    Editor edit();

    interface Editor {
        Editor putString(String key, String value);
        Editor putInt(String key, int value);
        Editor remove(String key);
        boolean commit();
        void apply();
    }
}
