package slipway;

import android.content.SharedPreferences;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.json.JSONException;
import org.json.JSONObject;

/** Preferences in a file, which a kill leaves as it was or as it should be. On a phone, `apply` may lose the last ones. */
public final class FilePreferences implements SharedPreferences {

    private static final Map<String, FilePreferences> ALL = new ConcurrentHashMap<>();

    private final File file;
    private final JSONObject values;

    private FilePreferences(String name) {
        file = new File(Phone.folder("preferences"), name + ".json");
        try {
            values = file.exists() ? new JSONObject(Files.readString(file.toPath())) : new JSONObject();
        } catch (IOException | JSONException error) {
            throw new IllegalStateException(error);
        }
    }

    public static FilePreferences named(String name) {
        return ALL.computeIfAbsent(name, FilePreferences::new);
    }

    @Override
    public synchronized String getString(String key, String defaultValue) {
        return values.has(key) ? values.optString(key) : defaultValue;
    }

    @Override
    public synchronized int getInt(String key, int defaultValue) {
        return values.optInt(key, defaultValue);
    }

    @Override
    public Editor edit() {
        return new FileEditor();
    }

    private synchronized void change(Map<String, Object> changes) {
        try {
            for (Map.Entry<String, Object> change : changes.entrySet()) values.put(change.getKey(), change.getValue());
            File next = new File(file.getPath() + ".next");
            Files.writeString(next.toPath(), values.toString());
            Files.move(next.toPath(), file.toPath(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | JSONException error) {
            throw new IllegalStateException(error);
        }
    }

    private class FileEditor implements Editor {

        private final Map<String, Object> changes = new HashMap<>();

        @Override
        public Editor putString(String key, String value) {
            changes.put(key, value);
            return this;
        }

        @Override
        public Editor putInt(String key, int value) {
            changes.put(key, value);
            return this;
        }

        /** JSONObject removes what is put as null. */
        @Override
        public Editor remove(String key) {
            changes.put(key, null);
            return this;
        }

        @Override
        public boolean commit() {
            change(changes);
            changes.clear();
            return true;
        }

        @Override
        public void apply() {
            commit();
        }
    }
}
