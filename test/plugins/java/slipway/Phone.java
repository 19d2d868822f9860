package slipway;

import java.io.File;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.json.JSONObject;

/** The phone that the app of this process runs on. */
public final class Phone {

    /** The main thread of the app. */
    public static final ScheduledExecutorService MAIN_THREAD = Executors.newSingleThreadScheduledExecutor();

    private static JSONObject settings;

    private Phone() {}

    static void start(JSONObject settings) {
        Phone.settings = settings;
    }

    /**
     * `folder`: where it keeps files. `versionCode` and `versionName` of the app. `nativeChannel`: the channel that it was
     * built with, or absent. `config`: what capacitor.config.json has for the plugin.
     */
    public static JSONObject settings() {
        return settings;
    }

    /** One of `files`, `cache`, `assets` and `preferences`. */
    public static File folder(String name) {
        return new File(settings.optString("folder"), name);
    }
}
